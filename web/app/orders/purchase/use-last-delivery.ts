import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { lastOrderQueryOptions } from '#app/orders/queries.ts';
import type { Delivery, DeliveryForm } from './delivery-form.ts';

/**
 * Offers the address and phone of the customer's last order, unless something is typed already. Once: a form that was
 * sent is empty (contract, "Accounts").
 * @returns what is offered, so that it does not count as typed; empty for a new customer
 */
export function useLastDelivery(email: string, form: DeliveryForm, isPermitted = true): Partial<Delivery> {
  const { data: last } = useQuery({ ...lastOrderQueryOptions(email), enabled: isPermitted });
  const { reset, formState } = form;
  const { isDirty } = formState;
  const hasOffered = useRef(false);
  useEffect(() => {
    if (last === undefined || hasOffered.current) return;
    // A first order that was just placed is no earlier one: nothing was offered, and that stays so.
    hasOffered.current = true;
    if (last && !isDirty) reset({ address: last.address, phone: last.phone });
  }, [last, isDirty, reset]);
  return last ? { address: last.address, phone: last.phone } : {};
}

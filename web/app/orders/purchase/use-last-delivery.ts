import { useQuery } from '@tanstack/react-query';
import { useLayoutEffect, useRef } from 'react';
import { lastOrderQueryOptions } from '#app/orders/queries.ts';
import type { Delivery, DeliveryForm } from './delivery-form.ts';

/**
 * Prefills the last order's address and phone into an untouched form, only once: a sent form stays empty
 * (contract, "Accounts").
 * @returns the prefilled values, which do not count as typed; empty for a new customer
 */
export function useLastDelivery(email: string, form: DeliveryForm, isPermitted = true): Partial<Delivery> {
  const { data: last } = useQuery({ ...lastOrderQueryOptions(email), enabled: isPermitted });
  const { reset, formState } = form;
  const { isDirty } = formState;
  const hasOffered = useRef(false);
  // Before the first paint: fields must not flash where the text will stand.
  useLayoutEffect(() => {
    if (last === undefined || hasOffered.current) return;
    // A first order must not refill the form it just emptied.
    hasOffered.current = true;
    if (last && !isDirty) reset({ address: last.address, phone: last.phone });
  }, [last, isDirty, reset]);
  return last ? { address: last.address, phone: last.phone } : {};
}

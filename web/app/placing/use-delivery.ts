import { listOrders } from '@parts-forge/contract/orders/orders';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { callList } from '#app/calls/api-client.ts';
import { createFormDraft, useDraft } from '#app/forms/use-draft.ts';
import { type Delivery, type DeliveryForm, emptyDelivery, useDeliveryForm } from './delivery-form.ts';

/** Prefills the delivery address; null for a new customer. */
export const lastOrderQueryOptions = (email: string) =>
  queryOptions({
    queryKey: ['orders', 'last', email],
    // A page and its form read it one after the other; an order invalidates it.
    staleTime: 10_000,
    queryFn: async ({ signal }) => {
      const { rows } = await callList(listOrders, { query: { email, limit: '1' }, signal });
      return rows[0] ?? null;
    },
  });

interface DeliveryOptions<More> {
  /** Names the draft in the tab's storage. */
  name: string;
  isPermitted?: boolean;
  /** Digits of the profile's phone; empty for none. */
  phone?: string;
  /** Other entries of the draft. */
  more?: { read: () => More; initial: More; restore: (kept: Partial<More>) => void };
}

/** Address, phone and reference: prefilled from the last order, and kept as a draft. */
export function useDelivery<More extends object>(
  email: string,
  { name, isPermitted = true, phone = '', more }: DeliveryOptions<More>,
) {
  const form = useDeliveryForm();
  const [reference, setReference] = useState('');
  usePhoneOfProfile(form, phone);
  // Prefilled values do not count as typed.
  const delivery = createFormDraft(form, {
    ...emptyDelivery,
    phone,
    ...useLastDelivery(email, form, isPermitted),
  });
  /** An order empties the fields, which is no draft: the next order offers its address. */
  const readTyped = () => {
    const typed = delivery.read();
    return typed.address || typed.phone ? typed : delivery.initial;
  };
  useDraft<Partial<Delivery> & { reference: string }>(name, email, {
    read: () => ({ ...readTyped(), ...more?.read(), reference }),
    initial: { ...delivery.initial, ...more?.initial, reference: '' },
    restore: ({ address = '', phone: typed = '', reference: kept = '', ...others }) => {
      delivery.restore({ address, phone: typed });
      setReference(kept);
      more?.restore(others as Partial<More>);
    },
  });
  return { form, reference, setReference };
}

/** Prefills the profile's phone into an empty field. */
function usePhoneOfProfile({ getValues, resetField }: DeliveryForm, phone: string): void {
  useEffect(() => {
    if (phone !== '' && getValues('phone') === '') resetField('phone', { defaultValue: phone });
  }, [phone, getValues, resetField]);
}

/**
 * Prefills the last order's address and phone into an untouched form, only once: a sent form stays empty
 * (contract, "Accounts").
 * @returns the prefilled values; empty for a new customer
 */
function useLastDelivery(email: string, form: DeliveryForm, isPermitted: boolean): Partial<Delivery> {
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

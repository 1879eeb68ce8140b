import { MAX_PHONE, MIN_PHONE } from '@parts-forge/contract/calls/bounds';
import { messages } from '@parts-forge/contract/calls/messages';
import { policies, refuseByRole } from '@parts-forge/contract/calls/policies';
import { toAmount } from '@parts-forge/contract/money/money';
import { isAvailable } from '@parts-forge/contract/products/part-rules';
import type { Product } from '@parts-forge/contract/products/products';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { getRetryAfterSeconds } from '#app/errors/describe-error.ts';
import { showFieldErrors } from '#app/forms/show-field-errors.ts';
import { createFormDraft, useDraft } from '#app/forms/use-draft.ts';
import { ShopProblem } from '#app/http/errors.ts';
import { useRole, useSignedInUser } from '#app/identity/signed-in-user.ts';
import { toast } from '#app/ui/toast.tsx';
import { useCountdown } from '#app/ui/use-countdown.ts';
import { useOnline } from '#app/ui/use-online.ts';
import { userQueryOptions } from '#app/users/queries.ts';
import { type Delivery, type DeliveryForm, emptyDelivery, useDeliveryForm } from './delivery-form.ts';
import type { PlacedOrder } from './placed-notice.tsx';
import { useLastDelivery } from './use-last-delivery.ts';
import { type OrderQuantity, useOrderQuantity } from './use-order-quantity.ts';
import { type OrderRequest, usePlaceOrder } from './use-place-order.ts';

export type Purchase = ReturnType<typeof usePurchase>;

/** @param isGone whether the part is no longer sold */
export function usePurchase(product: Product, isGone: boolean) {
  const isPermitted = refuseByRole(policies.placeOrder, useRole()) === null;
  const { customer, form, quantity, reference, setReference } = useEntries(product, isPermitted);
  const order = usePlaceOrder(product._id, customer.email);
  const secondsLeft = useCountdown(getRetryAfterSeconds(order.error), order.error);
  const isOnline = useOnline();
  const isOrderable = isPermitted && !isGone && isAvailable(product);
  /** The order placed last; null after another attempt. */
  const [placed, setPlaced] = useState<PlacedOrder | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const quantityInput = useRef<HTMLInputElement>(null);

  const focusHeading = () => heading.current?.focus({ preventScroll: true });
  const submit = async (delivery: Delivery) => {
    const { pieces, refusal } = quantity;
    if (refusal !== null || !isOrderable || !isOnline || secondsLeft > 0) return;
    setPlaced(null);
    let id: string;
    try {
      const { insertedId } = await order.mutateAsync(
        createRequest(product, customer, { ...delivery, reference }, pieces, quantity.totalCents),
      );
      id = insertedId;
    } catch (error) {
      const isShown = showFieldErrors(form, error, ['address', 'phone']);
      if (!isShown && isAboutQuantity(error)) quantityInput.current?.focus();
      return;
    }
    toast('success', messages.orderPlaced);
    setPlaced({ _id: id, pieces, totalCents: quantity.totalCents });
    form.reset(emptyDelivery);
    setReference('');
    quantity.reset();
    focusHeading();
    heading.current?.scrollIntoView({ block: 'start' });
  };

  return {
    customer,
    form,
    quantity,
    reference,
    setReference,
    submit,
    error: order.error,
    /** The last order's response was lost, now or before a reload. */
    isUnanswered: order.isUnanswered,
    /** No attempt since the page opened. */
    isIdle: order.isIdle,
    /** The outcome is known, so the same entries make a new order. */
    forgetUnanswered: () => {
      order.forgetUnanswered();
      focusHeading();
    },
    placed,
    forgetPlaced: () => {
      setPlaced(null);
      focusHeading();
    },
    isPermitted,
    isOrderable,
    /** Online, and no `Retry-After` is running. */
    canSend: isOnline && secondsLeft === 0,
    secondsLeft,
    heading,
    quantityInput,
  };
}

/** The customer and the fields, with prefills and draft. */
function useEntries(product: Product, isPermitted: boolean) {
  const customer = useCustomer();
  const form = useDeliveryForm();
  const [reference, setReference] = useState('');
  const asked = useSearchParams()[0].get('quantity');
  const quantity = useOrderQuantity(product, asked);
  const phone = toPhoneNumber(customer.phone);
  usePhoneOfProfile(form, phone);
  const last = useLastDelivery(customer.email, form, isPermitted);
  const entries = { form, quantity, reference, setReference };
  usePurchaseDraft(product, customer.email, { ...entries, offered: { phone, ...last }, asked });
  return { customer, ...entries };
}

interface Customer {
  email: string;
  name: string;
  /** As in the profile; may be empty. */
  phone: string;
}

/** The shop's profile has a newer name than the identity service. */
function useCustomer(): Customer {
  const { email, displayName } = useSignedInUser();
  const { data: profile } = useQuery(userQueryOptions(email));
  return { email, name: profile?.name ?? displayName ?? '', phone: profile?.phone ?? '' };
}

/** The profile's phone as digits; empty if out of bounds. */
function toPhoneNumber(phone: string): string {
  const digits = phone.replace(/\D/g, '');
  return digits.length >= MIN_PHONE && digits.length <= MAX_PHONE ? digits : '';
}

/** Prefills the profile's phone into an empty field. */
function usePhoneOfProfile({ getValues, resetField }: DeliveryForm, phone: string): void {
  useEffect(() => {
    if (phone !== '' && getValues('phone') === '') resetField('phone', { defaultValue: phone });
  }, [phone, getValues, resetField]);
}

interface DraftedOrder {
  form: DeliveryForm;
  /** Prefilled values, which do not count as typed. */
  offered: Partial<Delivery>;
  quantity: OrderQuantity;
  asked: string | null;
  reference: string;
  setReference: (text: string) => void;
}

/** A different quantity in the address wins over the draft's. */
function usePurchaseDraft(
  product: Product,
  email: string,
  { form, offered, quantity, asked, reference, setReference }: DraftedOrder,
): void {
  const delivery = createFormDraft(form, { ...emptyDelivery, ...offered });
  /** An order empties the fields, which is no draft: the next order of the part offers its address. */
  const readTyped = () => {
    const typed = delivery.read();
    return typed.address || typed.phone ? typed : delivery.initial;
  };
  useDraft(`order:${product._id}`, email, {
    read: () => ({ ...readTyped(), reference, quantity: quantity.text, asked }),
    initial: { ...delivery.initial, reference: '', quantity: quantity.initialText, asked },
    restore: ({ quantity: text, asked: askedBefore, reference: kept = '', ...entries }) => {
      delivery.restore(entries);
      setReference(kept);
      if (text !== undefined && askedBefore === asked) quantity.setText(text);
    },
  });
}

function createRequest(
  product: Product,
  customer: Customer,
  { address, phone, reference }: Delivery & { reference: string },
  pieces: number,
  totalCents: number,
): OrderRequest {
  return {
    email: customer.email,
    name: customer.name,
    address,
    phone,
    ...(reference.trim() && { reference }),
    productId: product._id,
    productName: product.name,
    quantity: pieces,
    totalPrice: toAmount(totalCents),
    status: 'due',
    image: product.image,
  };
}

const isAboutQuantity = (error: unknown) =>
  error instanceof ShopProblem && error.errors.some(({ path }) => path === 'quantity');

import { MAX_PHONE, MIN_PHONE } from '@parts-forge/contract/calls/bounds';
import { messages } from '@parts-forge/contract/calls/messages';
import { policies, refuseByRole } from '@parts-forge/contract/calls/policies';
import { toAmount } from '@parts-forge/contract/money/money';
import { isAvailable } from '@parts-forge/contract/products/part-rules';
import type { Product } from '@parts-forge/contract/products/products';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { showFieldErrors } from '#app/forms/show-field-errors.ts';
import { ShopProblem } from '#app/http/errors.ts';
import { useRole, useSignedInUser } from '#app/identity/signed-in-user.ts';
import { type Delivery, emptyDelivery } from '#app/placing/delivery-form.ts';
import { useDelivery } from '#app/placing/use-delivery.ts';
import { toast } from '#app/ui/toast.tsx';
import { userQueryOptions } from '#app/users/queries.ts';
import type { PlacedOrder } from './placed-notice.tsx';
import { useOrderQuantity } from './use-order-quantity.ts';
import { type OrderRequest, usePlaceOrder } from './use-place-order.ts';

export type Purchase = ReturnType<typeof usePurchase>;

/** @param isGone whether the part is no longer sold */
export function usePurchase(product: Product, isGone: boolean) {
  const isPermitted = refuseByRole(policies.placeOrder, useRole()) === null;
  const { customer, quantity, ...entries } = useEntries(product, isPermitted);
  const { form, reference, setReference } = entries;
  const order = usePlaceOrder(product._id, customer.email);
  const isOrderable = isPermitted && !isGone && isAvailable(product);
  /** The order placed last; null after another attempt. */
  const [placed, setPlaced] = useState<PlacedOrder | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const quantityInput = useRef<HTMLInputElement>(null);

  const focusHeading = () => heading.current?.focus({ preventScroll: true });
  const submit = async (delivery: Delivery) => {
    const { pieces, refusal } = quantity;
    if (refusal !== null || !isOrderable || !order.canSend) return;
    setPlaced(null);
    let id: string;
    try {
      const { insertedId } = await order.place(
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
    ...order,
    ...entries,
    customer,
    quantity,
    submit,
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
    heading,
    quantityInput,
  };
}

/** The customer and the fields, with prefills and draft. */
function useEntries(product: Product, isPermitted: boolean) {
  const customer = useCustomer();
  const asked = useSearchParams()[0].get('quantity');
  const quantity = useOrderQuantity(product, asked);
  const delivery = useDelivery(customer.email, {
    name: `order:${product._id}`,
    isPermitted,
    phone: toPhoneNumber(customer.phone),
    more: {
      read: () => ({ quantity: quantity.text, asked }),
      initial: { quantity: quantity.initialText, asked },
      // A different quantity in the address wins over the draft's.
      restore: ({ quantity: text, asked: askedBefore }) => {
        if (text !== undefined && askedBefore === asked) quantity.setText(text);
      },
    },
  });
  return { customer, quantity, ...delivery };
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

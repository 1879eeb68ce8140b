import { messages } from '@parts-forge/contract/messages';
import { toAmount } from '@parts-forge/contract/money';
import { isAvailable } from '@parts-forge/contract/part-rules';
import { policies, refuseByRole } from '@parts-forge/contract/policies';
import type { Product } from '@parts-forge/contract/products';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
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
import { type OrderQuantity, useOrderQuantity } from './use-order-quantity.ts';
import { type OrderRequest, usePlaceOrder } from './use-place-order.ts';

export type Purchase = ReturnType<typeof usePurchase>;

/**
 * Everything that the purchase form knows and does: who orders, what is typed, and what became of the last try.
 * @param isGone the part is not sold any more
 */
export function usePurchase(product: Product, isGone: boolean) {
  const customer = useCustomer();
  const form = useDeliveryForm();
  const asked = useSearchParams()[0].get('quantity');
  const quantity = useOrderQuantity(product, asked);
  usePurchaseDraft(product, customer.email, form, quantity);
  const order = usePlaceOrder(product._id);
  const secondsLeft = useCountdown(getRetryAfterSeconds(order.error), order.error);
  const isOnline = useOnline();
  const isPermitted = refuseByRole(policies.placeOrder, useRole()) === null;
  const isOrderable = isPermitted && !isGone && isAvailable(product);
  /** How many pieces were ordered last, while nothing else was tried since. */
  const [orderedPieces, setOrderedPieces] = useState<number | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const quantityInput = useRef<HTMLInputElement>(null);

  const submit = async (delivery: Delivery) => {
    const { pieces, refusal } = quantity;
    if (pieces === null || refusal !== null || !isOrderable || !isOnline || secondsLeft > 0) return;
    setOrderedPieces(null);
    try {
      await order.mutateAsync(createRequest(product, customer, delivery, pieces, quantity.totalCents));
    } catch (error) {
      const isShown = showFieldErrors(form, error, ['address', 'phone']);
      if (!isShown && isAboutQuantity(error)) quantityInput.current?.focus();
      return;
    }
    toast('success', messages.orderPlaced);
    setOrderedPieces(pieces);
    form.reset(emptyDelivery);
    quantity.reset();
    heading.current?.focus();
  };

  return {
    customer,
    form,
    quantity,
    submit,
    error: order.error,
    orderedPieces,
    isPermitted,
    isOrderable,
    /** Whether Purchase may be pressed now: there is a connection, and the shop does not ask to wait. */
    canSend: isOnline && secondsLeft === 0,
    secondsLeft,
    heading,
    quantityInput,
  };
}

interface Customer {
  email: string;
  name: string;
}

/** Who orders: the shop knows a newer name than the identity service. */
function useCustomer(): Customer {
  const { email, displayName } = useSignedInUser();
  const { data: profile } = useQuery(userQueryOptions(email));
  return { email, name: profile?.name ?? displayName ?? '' };
}

function usePurchaseDraft(
  product: Product,
  email: string,
  form: DeliveryForm,
  quantity: OrderQuantity,
): void {
  const delivery = createFormDraft(form);
  useDraft(`order:${product._id}`, email, {
    read: () => ({ ...delivery.read(), quantity: quantity.text }),
    restore: ({ quantity: text, ...entries }) => {
      delivery.restore(entries);
      if (text !== undefined) quantity.setText(text);
    },
  });
}

function createRequest(
  product: Product,
  customer: Customer,
  delivery: Delivery,
  pieces: number,
  totalCents: number,
): OrderRequest {
  return {
    email: customer.email,
    name: customer.name,
    address: delivery.address,
    phone: delivery.phone,
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

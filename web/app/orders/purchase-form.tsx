import { zodResolver } from '@hookform/resolvers/zod';
import { messages } from '@parts-forge/contract/messages';
import { formatCents, formatPieces, toAmount, toCents } from '@parts-forge/contract/money';
import { addressField, phoneField, refuseQuantity } from '@parts-forge/contract/orders';
import { isAvailable } from '@parts-forge/contract/part-rules';
import { policies, refuseByRole } from '@parts-forge/contract/policies';
import { totalCents } from '@parts-forge/contract/pricing';
import type { Product } from '@parts-forge/contract/products';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useRef, useState } from 'react';
import { type Resolver, useForm } from 'react-hook-form';
import { Link } from 'react-router';
import * as z from 'zod/mini';
import { getRetryAfterSeconds } from '#app/errors/describe-error.ts';
import { ShopProblem } from '#app/errors/errors.ts';
import { deferBlur } from '#app/forms/defer-blur.ts';
import { showFieldErrors } from '#app/forms/show-field-errors.ts';
import { createFormDraft, useDraft } from '#app/forms/use-draft.ts';
import { useSignedInUser } from '#app/identity/signed-in-user.ts';
import { Banner } from '#app/ui/banner.tsx';
import { Button } from '#app/ui/button.tsx';
import { Field, TextArea } from '#app/ui/field.tsx';
import { toast } from '#app/ui/toast.tsx';
import { useCountdown } from '#app/ui/use-countdown.ts';
import { useNoWheel } from '#app/ui/use-no-wheel.ts';
import { useOnline } from '#app/ui/use-online.ts';
import { userQueryOptions } from '#app/users/queries.ts';
import { OrderError } from './order-error.tsx';
import { QuantityField } from './quantity-field.tsx';
import { usePlaceOrder } from './use-place-order.ts';

const schema = z.object({ address: addressField, phone: phoneField });
type Entries = z.output<typeof schema>;

/** Orders one product (specification §2, "Purchase page"). Rendered anew for another product. */
export function PurchaseForm({ product }: { product: Product }) {
  const user = useSignedInUser();
  const profile = useQuery(userQueryOptions(user.email)).data;
  const name = profile?.name ?? user.displayName ?? '';
  const mayOrder = refuseByRole(policies.placeOrder, profile?.role ?? 'user') === null;
  const heading = useRef<HTMLHeadingElement>(null);
  /** How many pieces were ordered last, while nothing else was tried since. */
  const [ordered, setOrdered] = useState<number | null>(null);
  const quantityInput = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(String(product.minimumOrder));
  const form = useForm<Entries, unknown, Entries>({
    resolver,
    mode: 'onTouched',
    defaultValues: { address: '', phone: '' },
  });
  const fields = createFormDraft(form);
  useDraft(`order:${product._id}`, user.email, {
    read: () => ({ ...fields.read(), quantity: text }),
    restore: ({ quantity, ...entries }) => {
      fields.restore(entries);
      setText(quantity ?? String(product.minimumOrder));
    },
  });
  const order = usePlaceOrder(product._id);
  const wait = useCountdown(getRetryAfterSeconds(order.error), order.error);
  const online = useOnline();

  const quantity = text.trim() === '' ? null : Number(text);
  const problem = refuseQuantity(quantity, product)?.message ?? null;
  const cents = totalCents(Math.max(0, Math.trunc(quantity ?? 0)), toCents(product.price));
  const orderable = isAvailable(product) && mayOrder;

  const purchase = async (entries: Entries) => {
    if (problem || quantity === null || !orderable || !online || wait > 0) return;
    const { _id, name: productName, image } = product;
    setOrdered(null);
    try {
      await order.mutateAsync({
        email: user.email,
        name,
        address: entries.address,
        phone: entries.phone,
        productId: _id,
        productName,
        quantity,
        totalPrice: toAmount(cents),
        status: 'due',
        image,
      });
    } catch (error) {
      if (!showFieldErrors(form, error, ['address', 'phone'])) {
        if (error instanceof ShopProblem && error.errors.some(({ path }) => path === 'quantity')) {
          quantityInput.current?.focus();
        }
      }
      return;
    }
    toast('success', messages.orderPlaced);
    setOrdered(quantity);
    form.reset({ address: '', phone: '' });
    setText(String(product.minimumOrder));
    heading.current?.focus();
  };

  const { errors, isSubmitting } = form.formState;
  return (
    <section aria-labelledby="order-heading" className="pf-panel self-start p-6 md:p-8">
      <h2
        id="order-heading"
        ref={heading}
        tabIndex={-1}
        className="display mb-6 scroll-mt-56 text-h3 outline-none"
      >
        Your order
      </h2>
      {!mayOrder && (
        <Banner kind="info" className="mb-6">
          {messages.administratorsDoNotOrder}
        </Banner>
      )}
      {ordered !== null && (
        <Banner kind="info" className="mb-6">
          {formatPieces(ordered)} pieces ordered. Pay for them in{' '}
          <Link to="/dashboard/my-orders" className="pf-link whitespace-nowrap font-semibold">
            My Orders
          </Link>
          .
        </Banner>
      )}
      {order.error && <OrderError error={order.error} total={toAmount(cents)} />}
      <form className="grid gap-5" noValidate onSubmit={form.handleSubmit(purchase)}>
        <Field
          label="Name"
          id="name"
          name="name"
          value={name}
          readOnly
          disabled={!mayOrder}
          autoComplete="name"
        />
        <Field
          label="Email"
          id="email"
          name="email"
          type="email"
          value={user.email}
          readOnly
          disabled={!mayOrder}
          autoComplete="email"
        />
        <TextArea
          label="Address"
          id="address"
          rows={3}
          required
          disabled={!mayOrder}
          autoComplete="street-address"
          error={errors.address?.message}
          {...deferBlur(form.register('address'))}
        />
        <PhoneField
          disabled={!mayOrder}
          error={errors.phone?.message}
          registration={deferBlur(form.register('phone'))}
        />
        <QuantityField
          text={text}
          quantity={quantity}
          product={product}
          problem={problem}
          disabled={!orderable}
          input={quantityInput}
          onChange={setText}
        />
        {isAvailable(product) && (
          <div className="flex flex-wrap items-baseline justify-between gap-x-4 border-t border-base-300 pt-5">
            <span className="text-muted">Total price</span>
            <output
              htmlFor="quantity"
              className={`price min-w-0 !text-[1.75rem] !leading-9 [overflow-wrap:anywhere] ${problem ? 'text-muted' : ''}`.trimEnd()}
            >
              {formatCents(cents)}
            </output>
          </div>
        )}
        <Button
          type="submit"
          kind="primary"
          className="w-full"
          busy={isSubmitting}
          busyLabel="Placing order…"
          disabled={problem !== null || !orderable}
          aria-disabled={!online || wait > 0 || undefined}
        >
          {wait > 0 ? `Purchase in ${wait} s` : 'Purchase'}
        </Button>
      </form>
    </section>
  );
}

interface PhoneFieldProps {
  disabled: boolean;
  error: string | undefined;
  registration: ReturnType<ReturnType<typeof useForm<Entries>>['register']>;
}

/** A number field, as specified; a phone number is not a quantity, so nothing but typing changes it. */
function PhoneField({ disabled, error, registration }: PhoneFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  useNoWheel(input);
  const { ref, ...rest } = registration;
  const keepDigits = (event: KeyboardEvent) => {
    if (event.key === 'ArrowUp' || event.key === 'ArrowDown') event.preventDefault();
  };
  return (
    <Field
      label="phone"
      id="phone"
      type="number"
      inputMode="tel"
      required
      disabled={disabled}
      autoComplete="tel"
      className="[appearance:textfield] [&::-webkit-inner-spin-button]:appearance-none"
      error={error}
      onKeyDown={keepDigits}
      ref={(element) => {
        input.current = element;
        ref(element);
      }}
      {...rest}
    />
  );
}

const checkEntries = zodResolver(schema);

/** Checks address and phone. What a number field cannot read is not the same as nothing typed. */
const resolver: Resolver<Entries, unknown, Entries> = (values, context, options) => {
  const phone = options.fields.phone?.ref;
  const unreadable = phone instanceof HTMLInputElement && phone.validity.badInput;
  return checkEntries(
    { ...values, phone: unreadable ? '?' : values.phone },
    context,
    // The schema takes a phone as a number too; the form has texts only, which is the narrower type.
    options as Parameters<typeof checkEntries>[2],
  );
};

import { messages } from '@parts-forge/contract/messages';
import { formatCents, formatPieces, toAmount } from '@parts-forge/contract/money';
import { isAvailable } from '@parts-forge/contract/part-rules';
import type { Product } from '@parts-forge/contract/products';
import { deferBlur } from '#app/forms/defer-blur.ts';
import { Banner } from '#app/ui/banner.tsx';
import { Button } from '#app/ui/button.tsx';
import { Field, TextArea } from '#app/ui/field.tsx';
import { OrderError } from './order-error.tsx';
import { PhoneField } from './phone-field.tsx';
import { PlacedNotice } from './placed-notice.tsx';
import { TypedPrintNote } from './print-note.tsx';
import { QuantityField } from './quantity-field.tsx';
import { UnansweredNotice } from './unanswered-notice.tsx';
import { formatTotal, type OrderQuantity } from './use-order-quantity.ts';
import type { Purchase } from './use-purchase.ts';

/** Orders one product (specification §2, "Purchase page"). */
export function PurchaseForm({ product, purchase }: { product: Product; purchase: Purchase }) {
  const { form, quantity, isOrderable } = purchase;
  return (
    <section aria-labelledby="order-heading" className="pf-panel self-start p-6 md:p-8 low:p-6">
      <h2
        id="order-heading"
        ref={purchase.heading}
        tabIndex={-1}
        className="display mb-6 scroll-mt-56 text-h3 outline-none low:mb-3"
      >
        Your order
      </h2>
      <PurchaseNotices purchase={purchase} isAvailable={isAvailable(product)} />
      <form className="grid gap-5 low:gap-2.5" noValidate onSubmit={form.handleSubmit(purchase.submit)}>
        <CustomerFields purchase={purchase} />
        <DeliveryFields purchase={purchase} />
        <QuantityField
          label="Purchase Quantity"
          quantity={quantity}
          product={product}
          disabled={!isOrderable}
          input={purchase.quantityInput}
        />
        {isAvailable(product) && (
          <TotalPrice quantity={quantity} hasBreaks={product.priceBreaks.length > 0} />
        )}
        <PurchaseButton purchase={purchase} />
      </form>
    </section>
  );
}

/** Missing permission, unanswered order, error, placed order. */
function PurchaseNotices({ purchase, isAvailable }: { purchase: Purchase; isAvailable: boolean }) {
  const { customer, isPermitted, isUnanswered, isIdle, forgetUnanswered, placed, error, quantity } = purchase;
  return (
    <>
      {!isPermitted && (
        <Banner kind="info" className="mb-6">
          {messages.administratorsDoNotOrder}
        </Banner>
      )}
      {isUnanswered && isIdle && (
        <UnansweredNotice lead="An order was sent and no answer came." onForget={forgetUnanswered}>
          Pressing Purchase with the same entries does not place it twice. Whether it has arrived stands in
        </UnansweredNotice>
      )}
      {error && (
        <OrderError
          error={error}
          email={customer.email}
          total={toAmount(quantity.totalCents)}
          isAvailable={isAvailable}
          isUnanswered={isUnanswered}
          onForget={forgetUnanswered}
        />
      )}
      {placed !== null && <PlacedNotice placed={placed} email={customer.email} />}
    </>
  );
}

function CustomerFields({ purchase: { customer, isPermitted } }: { purchase: Purchase }) {
  const common = { readOnly: true, disabled: !isPermitted };
  return (
    <>
      <Field label="Name" id="name" name="name" value={customer.name} autoComplete="name" {...common} />
      <Field
        label="Email"
        id="email"
        name="email"
        type="email"
        value={customer.email}
        autoComplete="email"
        {...common}
      />
    </>
  );
}

function DeliveryFields({ purchase: { customer, form, isPermitted } }: { purchase: Purchase }) {
  const { errors } = form.formState;
  return (
    <>
      <TextArea
        label="Address"
        id="address"
        rows={3}
        className="max-h-60 field-sizing-content low:min-h-20"
        required
        disabled={!isPermitted}
        autoComplete="street-address"
        error={errors.address?.message}
        {...deferBlur(form.register('address'))}
      />
      <TypedPrintNote name={customer.name} form={form} />
      <PhoneField
        disabled={!isPermitted}
        error={errors.phone?.message}
        registration={deferBlur(form.register('phone'))}
      />
    </>
  );
}

function TotalPrice({ quantity, hasBreaks }: { quantity: OrderQuantity; hasBreaks: boolean }) {
  const { pieces, priceCents, refusal } = quantity;
  const tone = refusal === null ? '' : 'text-muted';
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-4 border-t border-base-300 pt-5 low:pt-3">
      <span className="text-muted">
        Total price
        {hasBreaks && (
          <span className="num block text-sm">
            {formatPieces(pieces)} × {formatCents(priceCents)}
          </span>
        )}
      </span>
      <output
        htmlFor="quantity"
        className={`price min-w-0 !text-[1.75rem] !leading-9 [overflow-wrap:anywhere] ${tone}`.trimEnd()}
      >
        {formatTotal(quantity)}
      </output>
    </div>
  );
}

function PurchaseButton({ purchase }: { purchase: Purchase }) {
  const { form, quantity, isOrderable, canSend, secondsLeft } = purchase;
  return (
    <Button
      type="submit"
      kind="primary"
      className="w-full"
      busy={form.formState.isSubmitting}
      busyLabel="Placing order…"
      disabled={quantity.refusal !== null || !isOrderable}
      aria-disabled={!canSend || undefined}
    >
      {secondsLeft > 0 ? `Purchase in ${secondsLeft} s` : 'Purchase'}
    </Button>
  );
}

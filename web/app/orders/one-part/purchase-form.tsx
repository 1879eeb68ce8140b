import { MAX_STOCK } from '@parts-forge/contract/calls/bounds';
import { messages } from '@parts-forge/contract/calls/messages';
import { formatCents, formatPieces, toAmount } from '@parts-forge/contract/money/money';
import { isAvailable } from '@parts-forge/contract/products/part-rules';
import type { Product } from '@parts-forge/contract/products/products';
import { useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { DeliveryFields } from '#app/placing/delivery-fields.tsx';
import { PlacingError } from '#app/placing/placing-error.tsx';
import { UnansweredNotice } from '#app/placing/unanswered-notice.tsx';
import PartInstead from '#app/products/part/part-instead.tsx';
import { useLiveProduct } from '#app/products/part/use-live-product.ts';
import { Banner } from '#app/ui/banner.tsx';
import { barAtFoot } from '#app/ui/bar-at-foot.ts';
import { Button } from '#app/ui/button.tsx';
import { taxWords, useOwnPrice } from '#app/users/own-prices.ts';
import { OrderRefusal } from './order-refusal.tsx';
import { PartDetails, PartStrip } from './part-strip.tsx';
import { PlacedNotice } from './placed-notice.tsx';
import { QuantityField } from './quantity-field.tsx';
import { formatTotal } from './use-order-quantity.ts';
import { type Purchase, usePurchase } from './use-purchase.ts';

export const columns = 'grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_22rem] lg:gap-6';

/** Orders one product (specification §2, "Purchase page"). Remounted for each product. */
export function PurchaseForm({ product: listed }: { product: Product }) {
  const product = useOwnPrice([listed])(listed);
  const live = useLiveProduct(product._id);
  const purchase = usePurchase(product, live.isGone);
  const { customer, form, quantity, isOrderable, isPermitted } = purchase;
  return (
    <>
      <PartStrip product={product} priceCents={quantity.priceCents} live={live} />
      <section aria-labelledby="order-heading" className="relative mt-4 lg:mt-6">
        <h2 id="order-heading" ref={purchase.heading} tabIndex={-1} className="sr-only scroll-mt-56">
          Your order
        </h2>
        {live.isGone && (
          <Banner kind="info" className="mb-6">
            This part is no longer sold.{' '}
            <Link to="/all-products" className="pf-link font-semibold">
              See All Parts
            </Link>
          </Banner>
        )}
        <PurchaseNotices purchase={purchase} isAvailable={isAvailable(product)} />
        {/* A narrow window's bar then pays. */}
        <form
          className={purchase.placed ? `${columns} max-lg:hidden` : columns}
          noValidate
          onSubmit={form.handleSubmit(purchase.submit)}
        >
          <div className="pf-panel grid min-w-0 gap-2 p-5 lg:p-6">
            <QuantityField
              label="Purchase Quantity"
              quantity={quantity}
              product={product}
              disabled={!isOrderable}
              input={purchase.quantityInput}
              isCompact
            />
            <WhatElse product={product} pieces={quantity.pieces} isGone={live.isGone} />
            <PartDetails product={product} pieces={quantity.pieces} live={live} />
          </div>
          <div className="pf-panel grid min-w-0 gap-4 p-5 lg:px-6 lg:pb-0">
            <DeliveryFields entries={purchase} disabled={!isPermitted} {...customer} />
            <PurchaseBar product={product} purchase={purchase} />
          </div>
        </form>
      </section>
    </>
  );
}

/** When more is expected and what fits instead, where the stock is short or the part has ended. */
function WhatElse({ product, pieces, isGone }: { product: Product; pieces: number; isGone: boolean }) {
  const wanted = Math.min(Math.max(pieces, product.minimumOrder), MAX_STOCK);
  return (
    (product.quantity < wanted || isGone) && <PartInstead product={product} isGone={isGone} wanted={wanted} />
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
        <PlacingError
          error={error}
          email={customer.email}
          isUnanswered={isUnanswered}
          onForget={forgetUnanswered}
          act="Press Purchase"
          arrived="an order that has already arrived"
        >
          <OrderRefusal error={error} total={toAmount(quantity.totalCents)} isAvailable={isAvailable} />
        </PlacingError>
      )}
      {placed !== null && (
        <PlacedNotice placed={placed} email={customer.email} onMore={purchase.forgetPlaced} />
      )}
    </>
  );
}

/** Always in view: at the foot of a wide window's panel, and of a narrow window above its keyboard. */
function PurchaseBar({ product, purchase }: { product: Product; purchase: Purchase }) {
  const { form, quantity, isOrderable, canSend, secondsLeft } = purchase;
  const { pieces, priceCents, refusal } = quantity;
  const bar = useAboveKeyboard();
  return (
    <div
      ref={bar}
      data-bottom-bar="fixed"
      className={`${barAtFoot} lg:sticky lg:bottom-0 lg:z-10 lg:gap-y-4 lg:border-t lg:border-base-300 lg:bg-base-100 lg:py-4`}
    >
      {isAvailable(product) && (
        <div className="min-w-0 lg:flex lg:w-full lg:flex-wrap lg:items-baseline lg:justify-between lg:gap-x-4">
          <span className="text-muted">
            <span className="max-lg:sr-only">Total price</span>
            <span className="num block text-sm max-lg:text-micro max-lg:leading-4">
              {formatPieces(pieces)} × {formatCents(priceCents)}
              {taxWords(product)}
            </span>
          </span>
          <span
            aria-live="polite"
            className={`price block lg:!text-[1.75rem] lg:!leading-9 [overflow-wrap:anywhere] ${refusal ? 'text-muted' : ''}`.trimEnd()}
          >
            {formatTotal(quantity)}
          </span>
        </div>
      )}
      <Button
        type="submit"
        kind={purchase.placed ? 'strong' : 'primary'}
        className="max-lg:ml-auto max-lg:min-w-34 lg:w-full"
        busy={form.formState.isSubmitting}
        busyLabel="Placing order…"
        disabled={refusal !== null || !isOrderable}
        aria-disabled={!canSend || undefined}
      >
        {secondsLeft > 0 ? `Purchase in ${secondsLeft} s` : 'Purchase'}
      </Button>
    </div>
  );
}

/** Safari lays its keyboard over the page; others make the window smaller. */
function useAboveKeyboard() {
  const bar = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const view = window.visualViewport;
    const place = () => {
      if (view?.scale !== 1) return;
      const covered = document.documentElement.clientHeight - view.height - view.offsetTop;
      bar.current?.style.setProperty('bottom', `${Math.max(0, covered)}px`);
    };
    view?.addEventListener('resize', place);
    view?.addEventListener('scroll', place);
    return () => {
      view?.removeEventListener('resize', place);
      view?.removeEventListener('scroll', place);
    };
  }, []);
  return bar;
}

import { MAX_STOCK } from '@parts-forge/contract/calls/bounds';
import { formatCents, formatCount, formatPieces } from '@parts-forge/contract/money/money';
import { lineCents } from '@parts-forge/contract/money/pricing';
import { isAvailable } from '@parts-forge/contract/products/part-rules';
import type { Product } from '@parts-forge/contract/products/products';
import { ListPlus } from 'lucide';
import { useRef, useState } from 'react';
import { Link } from 'react-router';
import { BATCH_PATH } from '#app/batch/browser-batch.ts';
import { useBatch } from '#app/batch/use-batch.ts';
import { KindLink } from '#app/products/kind-link.tsx';
import { BackInStock } from '#app/products/part/back-in-stock.tsx';
import { explainOutOfStock } from '#app/products/part/explain-out-of-stock.ts';
import { FromLabel } from '#app/products/part/from-label.tsx';
import { ChangingFigure, LiveMark, StockAnnouncement } from '#app/products/part/live-figures.tsx';
import { OwnPriceRoom } from '#app/products/part/own-price-room.tsx';
import { PriceBreaks } from '#app/products/part/price-breaks.tsx';
import { type LiveState, useProductStream } from '#app/products/part/product-stream.ts';
import { Button, getButtonClasses } from '#app/ui/button.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { lazyPart } from '#app/ui/lazy-part.tsx';
import { StatusChip } from '#app/ui/status-chip.tsx';
import { taxWords, useOwnPrice, withoutOwn } from '#app/users/own-prices.ts';
import { QuantityField } from './quantity-field.tsx';
import { formatTotal, type OrderQuantity, useOrderQuantity } from './use-order-quantity.ts';

/** Few visits need it. */
const PartInstead = lazyPart(() => import('#app/products/part/part-instead.tsx'));

/** Stock, price and order buttons on the part's page. */
export function PartOrder({ product: read }: { product: Product }) {
  const live = useProductStream(read._id);
  const { now } = live;
  const product = useOwnPrice([read])(now ? { ...read, ...now } : read);
  const quantity = useOrderQuantity(product);
  const isOrderable = now !== null && isAvailable(product);
  return (
    <section className="pf-panel" aria-labelledby="order-heading">
      <h2 id="order-heading" tabIndex={-1} className="sr-only scroll-mt-20">
        Order
      </h2>
      <StockLine product={product} live={live} isGone={now === null} />
      <div className="grid gap-5 border-t border-base-300 p-6 pt-5">
        <OwnPriceRoom product={product} pieces={quantity.pieces} />
        <PriceBreaks product={product} pieces={isOrderable ? quantity.pieces : null} />
        {isOrderable ? (
          <QuantityToOrder product={product} quantity={quantity} />
        ) : (
          <NotForSale product={product} isGone={now === null} />
        )}
      </div>
    </section>
  );
}

function StockLine({ product, live, isGone }: { product: Product; live: LiveState; isGone: boolean }) {
  return (
    <div className="flex min-h-[3.25rem] flex-wrap items-center justify-between gap-x-4 px-6 py-3.5">
      <p className="num">
        {isGone ? (
          'No longer sold'
        ) : (
          <>
            <span className="font-semibold">
              <ChangingFigure text={formatPieces(product.quantity)} />
            </span>{' '}
            in stock
          </>
        )}
      </p>
      <LiveMark {...live} />
      <StockAnnouncement stock={product.quantity} />
    </div>
  );
}

function QuantityToOrder({ product, quantity }: { product: Product; quantity: OrderQuantity }) {
  const input = useRef<HTMLInputElement>(null);
  const { pieces, refusal, priceCents } = quantity;
  const savedCents = refusal ? 0 : lineCents(pieces, withoutOwn(product)) - quantity.totalCents;
  /** The quantity field tells why it is refused. */
  const leadToQuantity = () => input.current?.focus();
  return (
    <>
      <QuantityField label="Quantity" quantity={quantity} product={product} disabled={false} input={input} />
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 border-t border-base-300 pt-4 in-[[data-account]]:min-h-14 in-[[data-account]]:items-end">
        <span className="num text-sm text-muted">
          {formatPieces(pieces)} × <ChangingFigure text={formatCents(priceCents)} />
          {taxWords(product)}
          {savedCents > 0 && <span className="block">{formatCents(savedCents)} less than the list</span>}
        </span>
        <span
          aria-live="polite"
          className={`price min-w-0 !text-[1.75rem] !leading-9 [overflow-wrap:anywhere] ${refusal ? 'text-muted' : ''}`.trimEnd()}
        >
          {formatTotal(quantity)}
        </span>
      </div>
      <div className="grid gap-3">
        {refusal ? (
          // Not `disabled`: the keyboard would skip to another part's button.
          <Button kind="primary" aria-disabled onClick={leadToQuantity}>
            Order Now
          </Button>
        ) : (
          <Link
            to={`/purchase/${product._id}?quantity=${pieces}`}
            className={getButtonClasses('primary', 'action')}
          >
            Order Now
          </Link>
        )}
        <AddToBatch productId={product._id} pieces={refusal ? null : pieces} onNothing={leadToQuantity} />
        <FromLabel product={product} />
      </div>
      {refusal?.code === 'above-stock' && pieces <= MAX_STOCK && (
        <PartInstead product={product} isGone={false} wanted={pieces} />
      )}
    </>
  );
}

interface AddToBatchProps {
  productId: string;
  /** null for a quantity that cannot be ordered */
  pieces: number | null;
  onNothing: () => void;
}

function AddToBatch({ productId, pieces, onNothing }: AddToBatchProps) {
  const { add, lines } = useBatch();
  const [isAdding, setAdding] = useState(false);
  const [hasAdded, setHasAdded] = useState(false);
  const press = async () => {
    if (pieces === null) return onNothing();
    setAdding(true);
    if (await add(productId, pieces)) setHasAdded(true);
    setAdding(false);
  };
  return (
    <>
      <Button
        kind="line"
        aria-disabled={pieces === null || undefined}
        busy={isAdding}
        busyLabel="Adding…"
        onClick={press}
      >
        <Icon of={ListPlus} className="size-[1.125rem]" />
        Add to batch
      </Button>
      {/* Here too: the toast with this link is last in the page and disappears. */}
      {hasAdded && lines > 0 && (
        <Link to={BATCH_PATH} className="pf-link min-h-6 justify-self-center text-sm">
          Open batch, {formatCount(lines, 'line')}
        </Link>
      )}
    </>
  );
}

function NotForSale({ product, isGone }: { product: Product; isGone: boolean }) {
  return (
    <>
      <div className="border-t border-base-300 pt-5">
        <StatusChip status="stop">{isGone ? 'Not for sale' : 'Out of stock'}</StatusChip>
        <p className="mt-3 text-sm text-muted">
          {isGone ? 'This part is no longer sold.' : explainOutOfStock(product)}
        </p>
      </div>
      {!isGone && <BackInStock productId={product._id} />}
      <PartInstead product={product} isGone={isGone} wanted={product.minimumOrder} />
      <KindLink kind={product.kind} className={getButtonClasses('primary', 'action', 'w-full')} />
      <FromLabel product={product} />
    </>
  );
}

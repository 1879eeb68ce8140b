import { formatCents, formatPieces } from '@parts-forge/contract/money';
import { isAvailable } from '@parts-forge/contract/part-rules';
import type { Product } from '@parts-forge/contract/products';
import { describeFits } from '#app/products/describe-fits.ts';
import { KindLink } from '#app/products/kind-link.tsx';
import { ProductPicture } from '#app/products/product-picture.tsx';
import { StatusChip } from '#app/ui/status-chip.tsx';
import { explainOutOfStock } from './explain-out-of-stock.ts';
import { ChangingFigure, LiveMark, StockAnnouncement } from './live-figures.tsx';
import { PriceBreaks } from './price-breaks.tsx';
import type { LiveState } from './product-stream.ts';

interface ProductDetailsProps {
  product: Product;
  /** Per piece at the ordered quantity. */
  priceCents: number;
  pieces: number;
  live: LiveState;
}

const heights = {
  plain: { available: 'lg:min-h-[52.4375rem]', outOfStock: 'lg:min-h-[44.375rem]' },
  withBreaks: { available: 'lg:min-h-[56.0625rem]', outOfStock: 'lg:min-h-[45.625rem]' },
};

/**
 * Specification §2, "Purchase page", left card. Its height is fixed: a message in the form must not make the
 * picture grow.
 */
export function ProductDetails({ product, priceCents, pieces, live }: ProductDetailsProps) {
  const { name, description, image, number, fits } = product;
  const height = heights[product.priceBreaks.length > 0 ? 'withBreaks' : 'plain'];
  return (
    <article
      className={`pf-panel flex flex-col self-start overflow-clip ${isAvailable(product) ? height.available : height.outOfStock}`}
    >
      <div className="pf-tile pf-corners !rounded-none border-b border-base-300 sm:!aspect-[8/5] lg:!aspect-auto lg:min-h-80 lg:flex-1 [&_:is(img,svg)]:absolute [&_:is(img,svg)]:inset-0">
        <ProductPicture image={image} alt={name} sizes="(width >= 64rem) 50rem, 100vw" eager />
      </div>
      <div className="grid gap-x-12 gap-y-6 p-6 md:grid-cols-2 md:p-8 lg:grid-cols-1 xl:grid-cols-2">
        <div className="min-w-0">
          <h1 className="text-balance text-h2 font-[560] tracking-[-0.018em]">{name}</h1>
          <p className="num mt-1 text-sm text-muted">
            <span className="sr-only">Part number </span>
            {number}
          </p>
          {fits.length > 0 && <p className="mt-1 text-sm text-muted">{describeFits(fits, 3)}</p>}
          <p className="mt-3 whitespace-pre-line text-muted">{description}</p>
        </div>
        <div>
          <Figures product={product} priceCents={priceCents} live={live} />
          {product.priceBreaks.length > 0 && (
            <div className="mt-5">
              <PriceBreaks product={product} pieces={isAvailable(product) ? pieces : null} />
            </div>
          )}
          {!isAvailable(product) && (
            <>
              <p className="mt-4">
                <StatusChip status="stop">Out of stock</StatusChip>
              </p>
              <p className="mt-3 text-sm text-muted">{explainOutOfStock(product)}</p>
              <p className="mt-3 text-sm">
                <KindLink kind={product.kind} className="pf-link" />
              </p>
            </>
          )}
        </div>
      </div>
    </article>
  );
}

function Figures({ product, priceCents, live }: Omit<ProductDetailsProps, 'pieces'>) {
  const { quantity, minimumOrder } = product;
  return (
    <dl className="pf-spec border-b border-base-300">
      <div>
        <dt>Price Per Unit</dt>
        <dd className="price">
          <ChangingFigure text={formatCents(priceCents)} />
        </dd>
      </div>
      <div>
        <dt>
          Quantity
          {live.connection === 'lost' && (
            <span className="ml-3">
              <LiveMark {...live} />
            </span>
          )}
        </dt>
        <dd>
          <ChangingFigure text={formatPieces(quantity)} />
          <StockAnnouncement stock={quantity} />
        </dd>
      </div>
      <div>
        <dt>Minimum Order Quantity</dt>
        <dd>{formatPieces(minimumOrder)}</dd>
      </div>
    </dl>
  );
}

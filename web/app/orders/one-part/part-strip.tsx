import { formatCents, formatPieces } from '@parts-forge/contract/money/money';
import { isAvailable, partPath } from '@parts-forge/contract/products/part-rules';
import type { Product } from '@parts-forge/contract/products/products';
import { useState } from 'react';
import { Link } from 'react-router';
import { KindLink } from '#app/products/kind-link.tsx';
import { BackInStock } from '#app/products/part/back-in-stock.tsx';
import { explainOutOfStock } from '#app/products/part/explain-out-of-stock.ts';
import { ChangingFigure, LiveMark, StockAnnouncement } from '#app/products/part/live-figures.tsx';
import { PriceBreaks } from '#app/products/part/price-breaks.tsx';
import type { LiveState } from '#app/products/part/product-stream.ts';
import { ProductPicture } from '#app/products/product-picture.tsx';
import { Fact } from '#app/ui/fact.tsx';
import { StatusChip } from '#app/ui/status-chip.tsx';

interface PartStripProps {
  product: Product;
  /** Per piece at the ordered quantity. */
  priceCents: number;
  live: LiveState;
}

/** Specification §2, "Purchase page", left card, at most 130 px high; `PartDetails` has the rest. */
export function PartStrip({ product, priceCents, live }: PartStripProps) {
  const { name, image, number, quantity } = product;
  return (
    <article className="pf-panel grid grid-cols-[88px_minmax(0,1fr)_auto] items-center gap-x-3 p-3 max-[22rem]:grid-cols-[64px_minmax(0,1fr)_auto] lg:gap-x-4 lg:pr-6">
      {/* The name stands beside it; an alt text would be read twice. */}
      <span className="pf-tile" aria-hidden="true">
        <ProductPicture image={image} alt="" sizes="5.5rem" eager />
      </span>
      <div className="min-w-0">
        <h1
          className="line-clamp-2 text-balance text-lead font-semibold leading-6 lg:line-clamp-1 lg:text-h3"
          title={name}
        >
          <Link to={partPath(product)} className="hover:text-primary hover:underline">
            {name}
          </Link>
        </h1>
        <p className="num truncate text-sm text-muted" title={number}>
          <span className="sr-only">Part number </span>
          {number}
        </p>
        <dl className="num flex flex-row-reverse items-baseline justify-end gap-2 max-[24rem]:gap-1">
          <dt className="truncate text-sm text-muted max-[24rem]:text-micro">Price Per Unit</dt>
          <dd className="text-h3 font-semibold">
            <ChangingFigure text={formatCents(priceCents)} />
          </dd>
        </dl>
      </div>
      <Stock product={product} live={live} className="flex gap-x-10 text-end max-lg:hidden" />
      <StockAnnouncement stock={quantity} />
    </article>
  );
}

interface StockProps {
  product: Product;
  live: LiveState;
  className: string;
}

function Stock({ product: { quantity, minimumOrder }, live, className }: StockProps) {
  return (
    <dl className={`num [&_dd]:font-semibold [&_dt]:text-sm [&_dt]:text-muted ${className}`}>
      <Fact name="Quantity">
        <ChangingFigure text={formatPieces(quantity)} />
        {live.connection === 'lost' && <LiveMark {...live} />}
      </Fact>
      <Fact name="Minimum Order Quantity">{formatPieces(minimumOrder)}</Fact>
    </dl>
  );
}

/** Folded on phones until it is opened. */
export function PartDetails({ product, pieces, live }: Omit<StockProps, 'className'> & { pieces: number }) {
  const [isWide] = useState(() => innerWidth >= 1024);
  const { description, kind, priceBreaks } = product;
  return (
    <>
      {!isAvailable(product) && (
        <div className="mb-3 grid gap-3 text-sm text-muted">
          <p>
            <StatusChip status="stop">Out of stock</StatusChip>
          </p>
          <p>{explainOutOfStock(product)}</p>
          <BackInStock productId={product._id} />
          <p>
            <KindLink kind={kind} className="pf-link text-base-content" />
          </p>
        </div>
      )}
      <details open={isWide}>
        <summary className="pf-link inline-flex min-h-8 cursor-pointer items-center text-sm font-medium">
          {priceBreaks.length > 0 ? 'Prices by quantity and details' : 'Details'}
        </summary>
        <Stock product={product} live={live} className="mb-3 mt-1 flex gap-x-10 lg:hidden" />
        {priceBreaks.length > 0 && (
          <div className="mb-4 mt-1">
            <PriceBreaks product={product} pieces={isAvailable(product) ? pieces : null} />
          </div>
        )}
        <p className="whitespace-pre-line text-muted [overflow-wrap:anywhere]">{description}</p>
      </details>
    </>
  );
}

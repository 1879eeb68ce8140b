import { LOW_STOCK_MINIMUM_ORDERS } from '@parts-forge/contract/calls/bounds';
import { formatCount, formatPieces } from '@parts-forge/contract/money/money';
import { isAvailable } from '@parts-forge/contract/products/part-rules';
import type { Product } from '@parts-forge/contract/products/products';
import { useId } from 'react';
import { Link } from 'react-router';
import { ledgerPath } from '#app/products/product-paths.ts';
import { Thumbnail } from '#app/products/thumbnail.tsx';

/** Number of parts shown, scarcest first. */
const SHOWN = 8;

/** The scarcest parts, measured in minimum orders. */
export function LowStock({ parts }: { parts: readonly Product[] }) {
  const id = useId();
  const more = parts.length - SHOWN;
  return (
    <section className="pf-panel mt-6" aria-labelledby={id}>
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 p-6 pb-3">
        <div>
          <h2 id={id} className="display text-h4">
            Low stock
          </h2>
          <p className="mt-0.5 text-sm text-muted">Under {LOW_STOCK_MINIMUM_ORDERS} minimum orders left</p>
        </div>
        <Link
          className="pf-link inline-flex min-h-8 items-center text-sm font-medium"
          to="/dashboard/manage-products?stock=low"
        >
          Manage Products
        </Link>
      </div>
      {parts.length === 0 ? (
        <p className="border-t border-base-300 px-6 py-4 text-muted">No part runs low.</p>
      ) : (
        <ul>
          {parts.slice(0, SHOWN).map((part) => (
            <ScarcePart key={part._id} part={part} />
          ))}
        </ul>
      )}
      {more > 0 && (
        <p className="num border-t border-base-300 px-6 py-4 text-sm text-muted">and {more} more</p>
      )}
    </section>
  );
}

function ScarcePart({ part }: { part: Product }) {
  const { image, name, quantity, minimumOrder } = part;
  const available = isAvailable(part);
  const share = quantity / (minimumOrder * LOW_STOCK_MINIMUM_ORDERS);
  const minimumOrders = Math.floor(quantity / minimumOrder);
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-4 gap-y-2 border-t border-base-300 px-6 py-3 sm:grid-cols-[auto_minmax(0,1fr)_10rem_9rem]">
      <Thumbnail image={image} size="size-12" />
      <Link
        className="min-w-0 font-medium [overflow-wrap:anywhere] hover:text-primary hover:underline"
        to={ledgerPath(part)}
      >
        {name}
      </Link>
      <span className="max-sm:hidden" aria-hidden="true">
        <span className="block h-1.5 bg-base-300">
          <span
            className={`block h-full min-w-[3px] ${available ? 'bg-base-content' : 'bg-error'}`}
            style={{ width: `${share * 100}%` }}
          />
        </span>
      </span>
      <span className="num text-right">
        <span className="font-semibold">{formatPieces(quantity)}</span>
        {available ? (
          <span className="block text-micro text-muted">{formatCount(minimumOrders, 'minimum order')}</span>
        ) : (
          <span className="block text-micro font-medium text-error">
            below minimum {formatPieces(minimumOrder)}
          </span>
        )}
      </span>
    </li>
  );
}

import { formatCents, formatPieces, toCents } from '@parts-forge/contract/money/money';
import { lineCents, netPiece, type Priced, unitPriceFor } from '@parts-forge/contract/money/pricing';
import type { Quote } from '@parts-forge/contract/prices/quotes';
import { type ReactNode, useState } from 'react';
import { MoreLines } from '#app/rows/more-lines.tsx';

export type QuoteLine = Quote['lines'][number] & { product: Priced };

const FIRST_LINES = 6;

/** In cents of one piece. */
export const listCents = ({ product, quantity }: QuoteLine): number => unitPriceFor(quantity, product);

/** In cents of one piece, as the customer pays a price that contains tax. */
export const payCents = ({ product }: QuoteLine, price: number): number =>
  netPiece(toCents(price), product.untaxedRate);

export const sumListed = (lines: readonly QuoteLine[]): number =>
  lines.reduce((sum, { quantity, product }) => sum + lineCents(quantity, product), 0);

interface CellProps {
  /** By default the wish itself. */
  renderWish?: (line: QuoteLine) => ReactNode;
  renderPrice: (line: QuoteLine) => ReactNode;
  /** The price in cents; null for the list's. */
  findCents: (line: QuoteLine) => number | null;
}

interface QuoteLinesProps extends CellProps {
  caption: string;
  lines: readonly QuoteLine[];
  priceHead: string;
  /** Beside "35 more lines". */
  after?: ReactNode;
}

/** The dearest lines first. */
export function QuoteLines({ caption, lines, priceHead, after, ...cells }: QuoteLinesProps) {
  const [isWhole, setWhole] = useState(false);
  const sorted = lines.toSorted((a, b) => b.quantity * listCents(b) - a.quantity * listCents(a));
  const shown = isWhole ? sorted : sorted.slice(0, FIRST_LINES);
  return (
    <>
      {/* biome-ignore-start lint/a11y/noRedundantRoles: a display other than table drops the implied roles. */}
      <table className="pf-reply" role="table">
        <caption className="sr-only">{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {['Part', 'Pieces', 'List price', 'Wished', priceHead, 'Less'].map((head) => (
              <th key={head} role="columnheader" scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {shown.map((line) => (
            <LineRow key={line.product._id} line={line} {...cells} />
          ))}
        </tbody>
      </table>
      {/* biome-ignore-end lint/a11y/noRedundantRoles: see above. */}
      <div className="more-lines">
        <p>
          <MoreLines left={lines.length - shown.length} onShow={() => setWhole(true)} />
        </p>
        {after}
      </div>
    </>
  );
}

function LineRow({ line, renderWish, renderPrice, findCents }: CellProps & { line: QuoteLine }) {
  return (
    // biome-ignore-start lint/a11y/noRedundantRoles: see the table.
    <tr role="row">
      <th role="rowheader" scope="row">
        <bdi className="line" dir="auto" title={line.product.name}>
          {line.product.name}
        </bdi>
        <span className="num sub">{line.product.number}</span>
      </th>
      <td role="cell" className="num">
        {formatPieces(line.quantity)}
      </td>
      <td role="cell" className="num">
        {formatCents(listCents(line))}
      </td>
      <td role="cell" className="num">
        {line.wished === undefined ? '–' : (renderWish?.(line) ?? formatCents(payCents(line, line.wished)))}
      </td>
      <td role="cell" className="num">
        {renderPrice(line)}
      </td>
      <td role="cell" className="num">
        <Less cents={findCents(line)} listed={listCents(line)} />
      </td>
    </tr>
    // biome-ignore-end lint/a11y/noRedundantRoles: see the table.
  );
}

const Less = ({ cents, listed }: { cents: number | null; listed: number }) => (
  <span className="text-sm text-muted">
    {cents === null || cents >= listed ? 'list price' : `${((1 - cents / listed) * 100).toFixed(1)} %`}
  </span>
);

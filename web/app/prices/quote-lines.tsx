import { formatCents, formatPieces, toCents } from '@parts-forge/contract/money/money';
import { lineCents, netPiece, type Priced, unitPriceFor } from '@parts-forge/contract/money/pricing';
import type { Quote } from '@parts-forge/contract/prices/quotes';
import type { ComponentProps, ReactNode } from 'react';
import { LineTable } from './line-table.tsx';

export type QuoteLine = Quote['lines'][number] & { product: Priced };

/** The list's price of one piece, in cents. */
export const listCents = ({ product, quantity }: QuoteLine): number => unitPriceFor(quantity, product);

/** The cents that the customer pays for one piece at a price that contains tax. */
export const payCents = ({ product }: QuoteLine, price: number): number =>
  netPiece(toCents(price), product.untaxedRate);

export const sumListed = (lines: readonly QuoteLine[]): number =>
  lines.reduce((sum, { quantity, product }) => sum + lineCents(quantity, product), 0);

type TableProps = Pick<ComponentProps<typeof LineTable<QuoteLine>>, 'caption' | 'after' | 'describeRest'>;

interface QuoteLinesProps extends TableProps {
  lines: readonly QuoteLine[];
  renderWish: (line: QuoteLine, wished: number) => ReactNode;
  priceHead: string;
  renderPrice: (line: QuoteLine) => ReactNode;
  /** The price in cents; null for the list's, undefined before an answer. */
  findCents: (line: QuoteLine) => number | null | undefined;
}

/** The dearest lines first. */
export function QuoteLines(props: QuoteLinesProps) {
  const { lines, renderWish, priceHead, renderPrice, findCents, ...table } = props;
  return (
    <LineTable
      {...table}
      className="pf-reply"
      lines={lines.toSorted((a, b) => b.quantity * listCents(b) - a.quantity * listCents(a))}
      columns={[
        { head: 'Pieces', cell: ({ quantity }) => formatPieces(quantity) },
        { head: 'List price', cell: (line) => formatCents(listCents(line)) },
        {
          head: 'Wished',
          cell: (line) =>
            line.wished === undefined || line.product.gone ? '–' : renderWish(line, line.wished),
        },
        { head: priceHead, cell: (line) => (line.product.gone ? 'No longer sold' : renderPrice(line)) },
        {
          head: 'Less',
          cell: (line) => {
            const cents = line.product.gone ? undefined : findCents(line);
            return cents === undefined ? '–' : <Less cents={cents} listed={listCents(line)} />;
          },
        },
      ]}
    />
  );
}

const Less = ({ cents, listed }: { cents: number | null; listed: number }) => (
  <span className="text-sm text-muted">
    {cents === null || cents >= listed ? 'list price' : `${((1 - cents / listed) * 100).toFixed(1)} %`}
  </span>
);

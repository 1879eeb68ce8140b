import { LOW_STOCK_MINIMUM_ORDERS, PAGE_LIMIT } from '@parts-forge/contract/calls/bounds';
import { shopCurrency } from '@parts-forge/contract/money/currency';
import { formatAmount, formatPieces, toAmount, toCents } from '@parts-forge/contract/money/money';
import type { Overview } from '@parts-forge/contract/orders/overview';
import { isAvailable } from '@parts-forge/contract/products/part-rules';
import type { ReactNode } from 'react';
import { formatChange } from '#app/ui/signed.ts';
import { describeAge } from './describe-age.ts';
import { formatWeek } from './weeks.ts';

/** The figures that tell whether something needs doing. */
export function KeyFigures({
  overview: { revenue, orders, amounts, waiting, lowStock, unpaidHeld },
}: {
  overview: Overview;
}) {
  const scarce = lowStock.filter((part) => !isAvailable(part)).length;
  return (
    <dl className="pf-panel grid grid-cols-2 xl:grid-cols-4 [&>*]:border-base-300 max-xl:[&>*:nth-child(even)]:border-l max-xl:[&>*:nth-child(n+3)]:border-t xl:[&>*+*]:border-l">
      <Figure name="Revenue this week" note={compareWeeks(revenue)}>
        {formatWhole(revenue.at(-1)?.amount ?? 0)}
      </Figure>
      <Figure
        name="Waiting for acceptance"
        note={waiting.oldest ? `oldest ordered ${describeAge(waiting.oldest)} ago` : 'nothing to accept'}
      >
        {formatPieces(waiting.count)}
      </Figure>
      <Figure
        name="Unpaid orders"
        note={`${formatAmount(amounts.due)} in total, holding ${formatPieces(unpaidHeld.pieces)} pieces`}
      >
        {formatPieces(orders.due)}
      </Figure>
      <Figure
        name="Low stock"
        note={
          lowStock.length === 0
            ? `all parts above ${LOW_STOCK_MINIMUM_ORDERS} minimum orders`
            : `${scarce === 0 ? 'none' : scarce} below ${scarce > 1 ? 'their' : 'its'} minimum order`
        }
      >
        {lowStock.length}
        {/* The response has at most one page. */}
        {lowStock.length === PAGE_LIMIT && '+'}
      </Figure>
    </dl>
  );
}

function Figure({ name, note, children }: { name: string; note: string; children: ReactNode }) {
  return (
    <div className="min-w-0 p-5 md:p-6">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="display mt-2 text-[1.5rem] leading-10 [overflow-wrap:anywhere] sm:text-[2rem]">
        {children}
      </dd>
      <dd className="num mt-1 text-sm text-muted">{note}</dd>
    </div>
  );
}

const formatWhole = (amount: number): string =>
  new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency: shopCurrency().code,
    maximumFractionDigits: 0,
  }).format(amount);

/** `+$7,700 on week 46`: the current week compared with the last. */
function compareWeeks(revenue: Overview['revenue']): string {
  const [before, now] = revenue.slice(-2);
  if (!before || !now) return '';
  const change = toAmount(toCents(now.amount) - toCents(before.amount));
  return `${formatChange(change, formatWhole)} on ${formatWeek(before.week).toLowerCase()}`;
}

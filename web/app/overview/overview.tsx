import { formatAmount, toAmount, toCents } from '@parts-forge/contract/money/money';
import type { Overview as OverviewFigures } from '@parts-forge/contract/orders/overview';
import { nameTimeZone } from '@parts-forge/contract/text/days';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { prefetch } from '#app/calls/prefetch.ts';
import { useShopTimeZone } from '#app/calls/shop-config.ts';
import { PageHeading } from '#app/dashboard/page-heading.tsx';
import { QueryPanel } from '#app/dashboard/query-panel.tsx';
import { Banner } from '#app/ui/banner.tsx';
import { formatMoment } from '#app/ui/format-moment.ts';
import { Skeleton } from '#app/ui/skeleton.tsx';
import { KeyFigures } from './key-figures.tsx';
import { LowStock } from './low-stock.tsx';
import { OrdersByStatus } from './orders-by-status.tsx';
import { overviewQueryOptions } from './queries.ts';
import { RevenueChart } from './revenue-chart.tsx';
import { formatWeek } from './weeks.ts';

export const clientLoader = () => prefetch(overviewQueryOptions());

/** The owner's first page. */
export default function Overview() {
  const overview = useQuery(overviewQueryOptions());
  const timeZone = useShopTimeZone();
  const week = overview.data?.revenue.at(-1)?.week;
  return (
    <>
      <PageHeading
        title="Overview"
        actions={
          week && (
            <p className="num text-sm text-muted">
              <Link className="pf-link mr-3 font-medium" to="/dashboard/overview/month">
                The month
              </Link>
              {formatWeek(week)}, as of{' '}
              {formatMoment(new Date(overview.dataUpdatedAt).toISOString(), timeZone)} (
              {nameTimeZone(timeZone)})
            </p>
          )
        }
      />
      <QueryPanel query={overview} what="The overview" skeleton={<OverviewSkeleton />}>
        {(figures) => <Figures overview={figures} />}
      </QueryPanel>
    </>
  );
}

function Figures({ overview }: { overview: OverviewFigures }) {
  return (
    <>
      <ReturnedMoney {...overview} />
      <KeyFigures overview={overview} />
      <div className="mt-6 grid grid-cols-[minmax(0,1fr)] gap-6 xl:grid-cols-[minmax(0,1.7fr)_minmax(0,1fr)]">
        <RevenueChart revenue={overview.revenue} />
        <OrdersByStatus {...overview} />
      </div>
      <LowStock parts={overview.lowStock} />
    </>
  );
}

/** Money that came back for refunded orders, which nothing else refunds. */
function ReturnedMoney({ returned }: Pick<OverviewFigures, 'returned'>) {
  if (returned.length === 0) return null;
  const cents = returned.reduce((sum, { amount }) => sum + toCents(amount), 0);
  return (
    <Banner kind="error" className="mb-6 bg-base-100">
      <strong className="font-semibold">
        {`${formatAmount(toAmount(cents))} came back after ${returned.length === 1 ? 'an order was' : 'orders were'} refunded.`}
      </strong>
      <ul className="mt-1 flex flex-wrap gap-x-4">
        {returned.map(({ _id, number, amount }) => (
          <li key={_id}>
            <Link
              className="pf-link num inline-flex min-h-8 items-center font-medium"
              to={`/dashboard/order/${_id}`}
            >
              {`Order ${number}: ${formatAmount(amount)}`}
            </Link>
          </li>
        ))}
      </ul>
    </Banner>
  );
}

function OverviewSkeleton() {
  return (
    <div aria-busy="true">
      <p className="sr-only" role="status">
        Loading…
      </p>
      <Skeleton className="h-[17.5rem] w-full !rounded-box xl:h-[8.75rem]" />
      <div className="mt-6 grid gap-6 xl:grid-cols-[minmax(0,1.7fr)_minmax(0,1fr)]">
        <Skeleton className="h-[21.5rem] w-full !rounded-box" />
        <Skeleton className="h-[21.5rem] w-full !rounded-box" />
      </div>
    </div>
  );
}

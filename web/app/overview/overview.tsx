import { nameTimeZone } from '@parts-forge/contract/days';
import type { Overview as OverviewFigures } from '@parts-forge/contract/overview';
import { useQuery } from '@tanstack/react-query';
import { useShopTimeZone } from '#app/calls/shop-config.ts';
import { PageHeading } from '#app/dashboard/page-heading.tsx';
import { QueryPanel } from '#app/dashboard/query-panel.tsx';
import { formatMoment } from '#app/ui/format-moment.ts';
import { Skeleton } from '#app/ui/skeleton.tsx';
import { KeyFigures } from './key-figures.tsx';
import { LowStock } from './low-stock.tsx';
import { OrdersByStatus } from './orders-by-status.tsx';
import { overviewQueryOptions } from './queries.ts';
import { RevenueChart } from './revenue-chart.tsx';
import { formatWeek } from './weeks.ts';

/** The owner's first page. */
export function Overview() {
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
      <KeyFigures overview={overview} />
      <div className="mt-6 grid grid-cols-[minmax(0,1fr)] gap-6 xl:grid-cols-[minmax(0,1.7fr)_minmax(0,1fr)]">
        <RevenueChart revenue={overview.revenue} />
        <OrdersByStatus {...overview} />
      </div>
      <LowStock parts={overview.lowStock} />
    </>
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

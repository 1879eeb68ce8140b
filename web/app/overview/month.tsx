import { formatAmount, toAmount, toCents } from '@parts-forge/contract/money';
import type { Month as MonthFigures } from '@parts-forge/contract/overview';
import { useQuery } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight } from 'lucide';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useShopTimeZone } from '#app/calls/shop-config.ts';
import { PageHeading } from '#app/dashboard/page-heading.tsx';
import { QueryPanel } from '#app/dashboard/query-panel.tsx';
import { DownloadButton } from '#app/downloads/download-button.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { Skeleton } from '#app/ui/skeleton.tsx';
import { DaysTable, PartsTable } from './month-tables.tsx';
import { findCurrentMonth, findMonthAfter, findMonthBefore, formatMonth, nameMonth } from './months.ts';
import { ProofPanel } from './proof-panel.tsx';
import { monthQueryOptions } from './queries.ts';
import { formatGiven, formatSigned } from './signed-money.ts';

/** The bookkeeper's page. */
export function Month({ month }: { month: string }) {
  const figures = useQuery(monthQueryOptions(month));
  return (
    <>
      <PageHeading
        title={formatMonth(month)}
        heading={<MonthSwitch month={month} />}
        above={
          <Link className="pf-link" to="/dashboard/overview">
            Overview
          </Link>
        }
        actions={
          <DownloadButton file={{ what: 'month', month }} className="bg-base-100">
            Movements CSV
          </DownloadButton>
        }
      />
      <QueryPanel query={figures} what="The month" skeleton={<MonthSkeleton />}>
        {(data) => (
          <>
            <Sums month={month} figures={data} />
            <ProofPanel month={month} />
            <div className="mt-6 grid grid-cols-[minmax(0,1fr)] items-start gap-6 xl:grid-cols-[minmax(0,1.15fr)_minmax(0,1fr)]">
              <DaysTable month={month} figures={data} />
              <PartsTable parts={data.parts} />
            </div>
          </>
        )}
      </QueryPanel>
    </>
  );
}

function MonthSwitch({ month }: { month: string }) {
  const isLatest = month >= findCurrentMonth(useShopTimeZone());
  return (
    <span className="flex flex-wrap items-center gap-1">
      {formatMonth(month)}
      <MonthLink month={findMonthBefore(month)} icon={ChevronLeft} className="ml-2" />
      {isLatest ? (
        <span className="btn btn-ghost btn-square btn-disabled size-9" aria-hidden="true">
          <Icon of={ChevronRight} className="size-5" />
        </span>
      ) : (
        <MonthLink month={findMonthAfter(month)} icon={ChevronRight} />
      )}
    </span>
  );
}

interface MonthLinkProps {
  month: string;
  icon: typeof ChevronLeft;
  className?: string;
}

function MonthLink({ month, icon, className = '' }: MonthLinkProps) {
  return (
    <Link
      className={`btn btn-ghost btn-square size-9 ${className}`.trimEnd()}
      to={`?month=${month}`}
      aria-label={formatMonth(month)}
    >
      <Icon of={icon} className="size-5" />
    </Link>
  );
}

function Sums({ month, figures }: { month: string; figures: MonthFigures }) {
  const before = findMonthBefore(month);
  const former = useQuery(monthQueryOptions(before)).data;
  const { received, refunded, lost, net, refunds, disputes, taxes } = figures;
  return (
    <dl className="pf-panel pf-sums">
      <Sum name="Received" value={formatSigned(received)}>
        {former && `${compare(received, former.received)} on ${nameMonth(before)}`}
      </Sum>
      <Sum name="Refunded" value={formatGiven(refunded)}>
        {`${count(refunds.count, 'refund')} of ${count(refunds.orders, 'order')}`}
      </Sum>
      <Sum name="Disputes lost" value={formatGiven(lost)}>
        {`${disputes.lost} lost, ${disputes.open} open`}
      </Sum>
      <div data-net>
        <dt>Net</dt>
        <dd className="num">{formatSigned(net)}</dd>
        {taxes.map(({ name, rate, tax }) => (
          <dd className="sub num" key={`${name} ${rate}`}>
            {`of it ${name} ${rate} % ${formatSigned(tax)}`}
          </dd>
        ))}
      </div>
    </dl>
  );
}

function Sum({ name, value, children }: { name: string; value: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="num">{value}</dd>
      <dd className="sub num">{children}</dd>
    </div>
  );
}

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`;

function compare(amount: number, former: number): string {
  const change = toAmount(toCents(amount) - toCents(former));
  return `${change < 0 ? '\u2212' : '+'}${formatAmount(Math.abs(change))}`;
}

function MonthSkeleton() {
  return (
    <div aria-busy="true">
      <p className="sr-only" role="status">
        Loading…
      </p>
      <Skeleton className="h-[15rem] w-full !rounded-box lg:h-[7.5rem]" />
      <Skeleton className="mt-6 h-[23rem] w-full !rounded-box xl:h-[11.5rem]" />
      <Skeleton className="mt-6 h-[30rem] w-full !rounded-box" />
    </div>
  );
}

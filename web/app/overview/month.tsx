import { formatAmount, formatPieces, formatSigned, toAmount, toCents } from '@parts-forge/contract/money';
import type { Month as MonthFigures } from '@parts-forge/contract/overview';
import { useQuery } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight, FileText } from 'lucide';
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
import { formatGiven } from './signed-money.ts';

/** The bookkeeper's page. */
export function Month({ month }: { month: string }) {
  const figures = useQuery(monthQueryOptions(month));
  const papers = figures.data?.papers;
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
          <div className="flex flex-wrap gap-3">
            <DownloadButton file={{ what: 'month', month }} className="bg-base-100">
              Movements CSV
            </DownloadButton>
            {papers !== 0 && (
              <DownloadButton
                file={{ what: 'invoices', month, as: 'zip' }}
                icon={FileText}
                className="num bg-base-100"
              >
                {papers === undefined ? 'Papers' : count(papers, 'paper')}
              </DownloadButton>
            )}
          </div>
        }
      />
      <QueryPanel query={figures} what="The month" skeleton={<MonthSkeleton />}>
        {(data) => (
          <>
            <Sums month={month} figures={data} />
            <ProofPanel month={month} />
            <div className="mt-6 grid grid-cols-[minmax(0,1fr)] items-start gap-6 xl:grid-cols-[minmax(min-content,1.15fr)_minmax(0,1fr)]">
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
  const look = 'btn btn-ghost btn-square size-9';
  return (
    <span className="flex flex-wrap items-center gap-1">
      {formatMonth(month)}
      <Link
        className={look}
        to={`?month=${findMonthBefore(month)}`}
        aria-label={formatMonth(findMonthBefore(month))}
      >
        <Icon of={ChevronLeft} className="size-5" />
      </Link>
      {!isLatest && (
        <Link
          className={look}
          to={`?month=${findMonthAfter(month)}`}
          aria-label={formatMonth(findMonthAfter(month))}
        >
          <Icon of={ChevronRight} className="size-5" />
        </Link>
      )}
    </span>
  );
}

function Sums({ month, figures }: { month: string; figures: MonthFigures }) {
  const before = findMonthBefore(month);
  const former = useQuery(monthQueryOptions(before)).data;
  const { received, refunded, lost, net, refunds, disputes, taxes } = figures;
  const sums = [
    [
      'Received',
      formatSigned(received),
      former && `${compare(received, former.received)} on ${nameMonth(before)}`,
    ],
    [
      'Refunded',
      formatGiven(refunded),
      `${count(refunds.count, 'refund')} of ${count(refunds.orders, 'order')}`,
    ],
    ['Disputes lost', formatGiven(lost), `${disputes.lost} lost, ${disputes.open} open now`],
    [
      'Net',
      formatSigned(net),
      ...taxes
        .filter(({ category }) => category === 'standard' || category === 'zero')
        .map(({ name, rate, tax }) => `of it ${name} ${rate} % ${formatSigned(tax)}`),
    ],
  ];
  return (
    <dl className="pf-panel pf-block">
      {sums.map(([name, value, ...notes]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
          {notes.filter(Boolean).map((note) => (
            <dd key={note} className="!text-sm !font-normal text-muted">
              {note}
            </dd>
          ))}
        </div>
      ))}
    </dl>
  );
}

const count = (number: number, noun: string) => `${formatPieces(number)} ${noun}${number === 1 ? '' : 's'}`;

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

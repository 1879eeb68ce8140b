import {
  formatAmount,
  formatCount,
  formatSigned,
  toAmount,
  toCents,
} from '@parts-forge/contract/money/money';
import type { Month as MonthFigures } from '@parts-forge/contract/orders/overview';
import { useQuery } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight, FileText } from 'lucide';
import { Link } from 'react-router';
import { useShopTimeZone } from '#app/calls/shop-config.ts';
import { PageHeading, ParentLink } from '#app/dashboard/page-heading.tsx';
import { PanelsSkeleton, QueryPanel } from '#app/dashboard/query-panel.tsx';
import { DownloadButton } from '#app/downloads/download-button.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { formatChange, formatGiven } from '#app/ui/signed.ts';
import { DaysTable, PartsTable } from './month-tables.tsx';
import { findCurrentMonth, findMonthAfter, findMonthBefore, formatMonth, nameMonth } from './months.ts';
import { ProofPanel } from './proof-panel.tsx';
import { monthQueryOptions } from './queries.ts';

export function Month({ month }: { month: string }) {
  const figures = useQuery(monthQueryOptions(month));
  return (
    <>
      <PageHeading
        title={formatMonth(month)}
        heading={<MonthSwitch month={month} />}
        above={<ParentLink to="/dashboard/overview">Overview</ParentLink>}
        actions={<Files month={month} papers={figures.data?.papers} />}
      />
      <QueryPanel
        query={figures}
        what="The month"
        skeleton={
          <PanelsSkeleton heights={['h-[15rem] lg:h-[7.5rem]', 'h-[23rem] xl:h-[11.5rem]', 'h-[30rem]']} />
        }
      >
        {(data) => (
          <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
            <Sums month={month} figures={data} />
            <MissingFacts papers={data.notElectronic} />
            <ProofPanel month={month} />
            <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 xl:grid-cols-[minmax(min-content,1.15fr)_minmax(0,1fr)]">
              <DaysTable month={month} figures={data} />
              <PartsTable parts={data.parts} />
            </div>
          </div>
        )}
      </QueryPanel>
    </>
  );
}

/** @param props.papers how many; absent while unknown */
function Files({ month, papers }: { month: string; papers: number | undefined }) {
  return (
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
          {papers === undefined ? 'Papers' : formatCount(papers, 'paper')}
        </DownloadButton>
      )}
    </div>
  );
}

function MissingFacts({ papers: notElectronic }: { papers: MonthFigures['notElectronic'] }) {
  if (notElectronic.length === 0) return null;
  const facts = notElectronic.map(({ fact, papers }) => `${fact} on ${formatCount(papers, 'paper')}`);
  return <p className="text-sm text-muted">No e-invoices, as a fact is missing: {facts.join(', ')}.</p>;
}

function MonthSwitch({ month }: { month: string }) {
  const isLatest = month >= findCurrentMonth(useShopTimeZone());
  const steps = [
    { to: findMonthBefore(month), icon: ChevronLeft },
    ...(isLatest ? [] : [{ to: findMonthAfter(month), icon: ChevronRight }]),
  ];
  return (
    <span className="flex flex-wrap items-center gap-1">
      {formatMonth(month)}
      {steps.map(({ to, icon }) => (
        <Link
          key={to}
          className="btn btn-ghost btn-square size-9"
          to={`?month=${to}`}
          aria-label={formatMonth(to)}
        >
          <Icon of={icon} className="size-5" />
        </Link>
      ))}
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
      former &&
        `${formatChange(toAmount(toCents(received) - toCents(former.received)), formatAmount)} on ${nameMonth(before)}`,
    ],
    [
      'Refunded',
      formatGiven(refunded),
      `${formatCount(refunds.count, 'refund')} of ${formatCount(refunds.orders, 'order')}`,
    ],
    ['Disputes lost', formatGiven(lost), `${disputes.lost} lost, ${disputes.open} open now`],
    [
      'Net',
      formatSigned(net),
      ...taxes.map(({ category, name, rate, net, tax }) =>
        category === 'exempt' || category === 'reverse'
          ? `of it ${name} ${category === 'exempt' ? 'exempt' : 'reverse charge'} ${formatSigned(net)}`
          : `of it ${name} ${rate} % ${formatSigned(tax)} on ${formatSigned(net)}`,
      ),
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

import {
  formatAmount,
  formatPieces,
  formatSigned,
  toAmount,
  toCents,
} from '@parts-forge/contract/money/money';
import type { Month } from '@parts-forge/contract/orders/overview';
import { type ReactNode, useId } from 'react';
import { focusableWhereItScrolls } from '#app/ui/focusable-where-it-scrolls.ts';
import { formatGiven } from '#app/ui/signed.ts';
import { formatDayOfMonth, nameMonth } from './months.ts';

const listSums = (sums: Pick<Month, 'received' | 'refunded' | 'lost' | 'net'>) => [
  sums.received === 0 ? '–' : formatAmount(sums.received),
  formatGiven(sums.refunded),
  formatGiven(sums.lost),
  formatSigned(sums.net),
];

export const DaysTable = ({ month, figures }: { month: string; figures: Month }) => (
  <Ledger
    heading="By day"
    columns={[
      { head: 'Day' },
      { head: 'Received' },
      { head: 'Refunded', className: 'max-[23rem]:hidden' },
      { head: 'Lost', className: 'max-md:hidden' },
      { head: 'Net' },
    ]}
    rows={figures.days.map(({ day, ...moved }) => [formatDayOfMonth(day), ...listSums(moved)])}
    foot={[nameMonth(month), ...listSums(figures)]}
  />
);

/** Adds up to the month's net. */
export const PartsTable = ({ parts }: Pick<Month, 'parts'>) => (
  <Ledger
    heading="By part"
    columns={[{ head: 'Part', className: 'w-full max-w-0 truncate' }, { head: 'Pieces' }, { head: 'Net' }]}
    rows={parts.map(({ number, name, pieces, received, refunded, lost }) => [
      <span key="name" title={number === null ? name : `${number} ${name}`}>
        {name}
      </span>,
      formatPieces(pieces),
      formatSigned(toAmount(toCents(received) - toCents(refunded) - toCents(lost))),
    ])}
  />
);

interface Column {
  head: string;
  className?: string;
}

interface LedgerProps {
  heading: string;
  columns: readonly Column[];
  /** The first cell names the row, the others are figures. */
  rows: readonly (readonly ReactNode[])[];
  foot?: readonly ReactNode[];
}

/** Rows of 36 px, on phones too. */
function Ledger({ heading, columns, rows, foot }: LedgerProps) {
  const id = useId();
  return (
    <section className="pf-panel overflow-x-auto" aria-labelledby={id} ref={focusableWhereItScrolls}>
      <h2 id={id} className="display px-6 pb-3 pt-5 text-h4">
        {heading}
      </h2>
      {rows.length === 0 ? (
        <p className="px-6 pb-6 text-muted">No money moved in this month.</p>
      ) : (
        <table className="num w-full text-sm md:text-[0.9375rem]">
          <thead className="text-micro font-medium text-muted">
            <Row columns={columns} cells={columns.map(({ head }) => head)} scope="col" className="h-9" />
          </thead>
          <tbody>
            {rows.map((cells, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the rows are only replaced as a whole.
              <Row key={index} columns={columns} cells={cells} className="h-9 border-t border-base-300" />
            ))}
          </tbody>
          {foot && (
            <tfoot className="font-semibold max-md:text-micro">
              <Row columns={columns} cells={foot} className="h-11 border-t border-edge" />
            </tfoot>
          )}
        </table>
      )}
    </section>
  );
}

interface RowProps {
  columns: readonly Column[];
  cells: readonly ReactNode[];
  scope?: 'row' | 'col';
  className: string;
}

const Row = ({ columns, cells, scope = 'row', className }: RowProps) => (
  <tr className={className}>
    {columns.map(({ head, className: look = '' }, index) => {
      const Cell = index === 0 || scope === 'col' ? 'th' : 'td';
      return (
        <Cell
          key={head}
          {...(Cell === 'th' && { scope })}
          className={`px-1 [font-weight:inherit] first:ps-3 last:pe-3 md:px-2 md:first:ps-6 md:last:pe-6 ${index === 0 ? 'text-start' : 'whitespace-nowrap text-end'} ${look}`}
        >
          {cells[index]}
        </Cell>
      );
    })}
  </tr>
);

import { formatAmount, formatPieces, formatSigned, toAmount, toCents } from '@parts-forge/contract/money';
import type { Month } from '@parts-forge/contract/overview';
import { type ReactNode, useId } from 'react';
import { focusableWhereItScrolls } from '#app/ui/focusable-where-it-scrolls.ts';
import { formatDayOfMonth, nameMonth } from './months.ts';
import { formatGiven } from './signed-money.ts';

type Moved = Pick<Month, 'received' | 'refunded' | 'lost' | 'net'>;

const listSums = ({ received, refunded, lost, net }: Moved) => [
  received === 0 ? '–' : formatAmount(received),
  formatGiven(refunded),
  formatGiven(lost),
  formatSigned(net),
];

export const DaysTable = ({ month, figures }: { month: string; figures: Month }) => (
  <Book
    heading="By day"
    columns={['Day', 'Received', 'Refunded', 'Lost', 'Net']}
    rows={figures.days.map(({ day, ...moved }) => [formatDayOfMonth(day), ...listSums(moved)])}
    foot={[nameMonth(month), ...listSums(figures)]}
  />
);

/** Adds up to the month's net. */
export const PartsTable = ({ parts }: Pick<Month, 'parts'>) => (
  <Book
    heading="By part"
    columns={['Part', 'Pieces', 'Net']}
    rows={parts.map(({ name, pieces, received, refunded, lost }) => [
      <span key="name" className="line" title={name}>
        {name}
      </span>,
      formatPieces(pieces),
      formatSigned(toAmount(toCents(received) - toCents(refunded) - toCents(lost))),
    ])}
  />
);

interface BookProps {
  heading: string;
  columns: readonly string[];
  /** The first cell names the row, the others are figures. */
  rows: readonly (readonly ReactNode[])[];
  foot?: readonly ReactNode[];
}

function Book({ heading, columns, rows, foot }: BookProps) {
  const id = useId();
  return (
    <section className="pf-panel pf-book" aria-labelledby={id} ref={focusableWhereItScrolls}>
      <h2 id={id} className="display text-h4">
        {heading}
      </h2>
      {rows.length === 0 ? (
        <p className="px-6 pb-6 text-muted">No money moved in this month.</p>
      ) : (
        <table>
          <thead>
            <tr>
              {columns.map((column, index) => (
                <th key={column} scope="col" className={index === 0 ? '' : 'r'}>
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((cells, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the rows are only replaced as a whole.
              <BookRow key={index} cells={cells} />
            ))}
          </tbody>
          {foot && (
            <tfoot>
              <BookRow cells={foot} />
            </tfoot>
          )}
        </table>
      )}
    </section>
  );
}

const BookRow = ({ cells: [name, ...figures] }: { cells: readonly ReactNode[] }) => (
  <tr>
    <th scope="row" className="num">
      {name}
    </th>
    {figures.map((figure, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the columns are fixed.
      <td key={index} className="num r">
        {figure}
      </td>
    ))}
  </tr>
);

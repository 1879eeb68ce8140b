import { formatAmount, formatPieces, toAmount, toCents } from '@parts-forge/contract/money';
import type { Month } from '@parts-forge/contract/overview';
import { useId } from 'react';
import { formatDayOfMonth, nameMonth } from './months.ts';
import { formatGiven, formatSigned } from './signed-money.ts';

export function DaysTable({ month, figures }: { month: string; figures: Month }) {
  const id = useId();
  return (
    <section className="pf-panel pf-book" aria-labelledby={id}>
      <h2 id={id} className="display text-h4">
        By day
      </h2>
      {figures.days.length === 0 ? (
        <NoPapers />
      ) : (
        <table>
          <thead>
            <tr>
              <th scope="col">Day</th>
              <MoneyHead>Received</MoneyHead>
              <MoneyHead>Refunded</MoneyHead>
              <MoneyHead>Lost</MoneyHead>
              <MoneyHead>Net</MoneyHead>
            </tr>
          </thead>
          <tbody>
            {figures.days.map(({ day, ...moved }) => (
              <tr key={day}>
                <th scope="row" className="num">
                  {formatDayOfMonth(day)}
                </th>
                <MoneyCells {...moved} />
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">{nameMonth(month)}</th>
              <MoneyCells {...figures} />
            </tr>
          </tfoot>
        </table>
      )}
    </section>
  );
}

const MoneyHead = ({ children }: { children: string }) => (
  <th scope="col" className="r">
    {children}
  </th>
);

function MoneyCells({
  received,
  refunded,
  lost,
  net,
}: Pick<Month, 'received' | 'refunded' | 'lost' | 'net'>) {
  const cells = [received === 0 ? '–' : formatAmount(received), formatGiven(refunded), formatGiven(lost)];
  return (
    <>
      {[...cells, formatSigned(net)].map((cell, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the columns are fixed.
        <td className="num r" key={index}>
          {cell}
        </td>
      ))}
    </>
  );
}

/** Adds up to the month's net. */
export function PartsTable({ parts }: Pick<Month, 'parts'>) {
  const id = useId();
  return (
    <section className="pf-panel pf-book" aria-labelledby={id}>
      <h2 id={id} className="display text-h4">
        By part
      </h2>
      {parts.length === 0 ? (
        <NoPapers />
      ) : (
        <table>
          <thead>
            <tr>
              <th scope="col">Part</th>
              <MoneyHead>Pieces</MoneyHead>
              <MoneyHead>Net</MoneyHead>
            </tr>
          </thead>
          <tbody>
            {parts.map(({ number, name, pieces, received, refunded, lost }, index) => (
              <tr key={number ?? index}>
                <th scope="row">
                  <span className="line" title={name}>
                    {name}
                  </span>
                </th>
                <td className="num r">{formatPieces(pieces)}</td>
                <td className="num r">
                  {formatSigned(toAmount(toCents(received) - toCents(refunded) - toCents(lost)))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

const NoPapers = () => <p className="px-6 pb-6 text-muted">No money moved in this month.</p>;

import { formatAmount } from '@parts-forge/contract/money/money';
import type { Overview } from '@parts-forge/contract/orders/overview';
import { useId } from 'react';
import { chooseScale } from './choose-scale.ts';
import { formatWeek, readWeekNumber } from './weeks.ts';

/** Highlights the current week; screen readers get a table. */
export function RevenueChart({ revenue }: { revenue: Overview['revenue'] }) {
  const id = useId();
  const scale = chooseScale(Math.max(...revenue.map(({ amount }) => amount)));
  return (
    <figure className="pf-panel p-6" aria-labelledby={id}>
      <figcaption className="mb-6 flex flex-wrap items-baseline justify-between gap-2">
        <h2 id={id} className="display text-h4">
          Revenue by week
        </h2>
        <span className="text-sm text-muted">
          {scale.unit}, last {revenue.length} weeks
        </span>
      </figcaption>
      <div className="relative h-56 pl-10" aria-hidden="true">
        {scale.ticks.map((tick) => (
          <div
            key={tick}
            className="absolute inset-x-0 flex h-0 items-center"
            style={{ bottom: `${(tick / scale.top) * 100}%` }}
          >
            <span className="num w-10 whitespace-nowrap text-micro leading-none text-muted">
              {scale.format(tick)}
            </span>
            <span className={`h-px flex-1 ${tick === 0 ? 'bg-edge' : 'bg-base-300'}`} />
          </div>
        ))}
        <div className={`relative flex h-full items-end pl-2 ${gap}`}>
          {revenue.map(({ week, amount }, index) => (
            <Bar
              key={week}
              share={Math.max(0, amount) / scale.top}
              label={index === revenue.length - 1 ? scale.format(amount, 1) : null}
            />
          ))}
        </div>
      </div>
      <WeekNumbers revenue={revenue} />
      <RevenueTable revenue={revenue} />
    </figure>
  );
}

const gap = 'gap-[clamp(4px,1.4%,14px)]';

/** Narrow windows show every second week. */
function WeekNumbers({ revenue }: { revenue: Overview['revenue'] }) {
  return (
    <div className={`flex pl-12 pt-2 text-center ${gap}`} aria-hidden="true">
      {revenue.map(({ week }, index) => {
        const isLast = index === revenue.length - 1;
        const isLeftOut = (revenue.length - 1 - index) % 2 === 1;
        return (
          <span
            key={week}
            className={`num flex min-w-0 flex-1 justify-center text-micro ${isLast ? 'font-semibold' : 'text-muted'} ${isLeftOut ? 'max-sm:opacity-0' : ''}`}
          >
            {readWeekNumber(week)}
          </span>
        );
      })}
    </div>
  );
}

/** @param label of the current week; null for the others */
function Bar({ share, label }: { share: number; label: string | null }) {
  return (
    <div
      className={`forced-color-adjust-none relative flex-1 ${label === null ? 'bg-[var(--pf-bar)]' : 'bg-primary'}`}
      style={{ height: `${share * 100}%` }}
    >
      {label !== null && (
        <span className="num forced-color-adjust-auto absolute -top-6 right-0 whitespace-nowrap text-micro font-semibold sm:left-1/2 sm:right-auto sm:-translate-x-1/2">
          {label}
        </span>
      )}
    </div>
  );
}

function RevenueTable({ revenue }: { revenue: Overview['revenue'] }) {
  return (
    <table className="sr-only">
      <caption className="sr-only">Revenue by week</caption>
      <thead>
        <tr>
          <th scope="col">Week</th>
          <th scope="col">Revenue</th>
        </tr>
      </thead>
      <tbody>
        {revenue.map(({ week, amount }) => (
          <tr key={week}>
            <th scope="row">{formatWeek(week)}</th>
            <td>{formatAmount(amount)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

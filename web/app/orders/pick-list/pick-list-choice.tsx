import { useId } from 'react';
import { Link, useSearchParams } from 'react-router';
import { getButtonClasses } from '#app/ui/button.tsx';
import { DayInput } from '#app/ui/day-input.tsx';
import type { PickFilter } from './pick-list-filter.ts';

/** Orders that await acceptance, or accepted ones that are to be sent. */
export function PickListChoice({ filter: { status, since } }: { filter: PickFilter }) {
  return (
    <div className="mb-6 grid gap-3 print:hidden">
      <nav aria-label="Which orders" className="flex flex-wrap gap-2">
        <Choice to="?status=pending" isChosen={status === 'pending'}>
          Waiting for acceptance
        </Choice>
        <Choice to="?status=paid" isChosen={status === 'paid'}>
          To send
        </Choice>
      </nav>
      {status === 'paid' && <SinceChoice since={since} />}
    </div>
  );
}

function SinceChoice({ since }: { since: string }) {
  const id = useId();
  const [, setSearch] = useSearchParams();
  return (
    <p className="flex flex-wrap items-center gap-3">
      <label htmlFor={id} className="text-sm text-muted">
        Accepted since
      </label>
      <DayInput
        id={id}
        className={`input h-11 w-40 bg-base-100 text-[0.9375rem] ${since ? 'border-base-content' : ''}`}
        day={since}
        onChoose={(chosen) =>
          setSearch(
            { status: 'paid', ...(chosen && { since: chosen }) },
            { replace: true, preventScrollReset: true },
          )
        }
      />
    </p>
  );
}

function Choice({ to, isChosen, children }: { to: string; isChosen: boolean; children: string }) {
  return (
    <Link
      to={to}
      replace
      preventScrollReset
      aria-current={isChosen ? 'page' : undefined}
      className={getButtonClasses(isChosen ? 'strong' : 'line', 'bar', isChosen ? '' : 'bg-base-100')}
    >
      {children}
    </Link>
  );
}

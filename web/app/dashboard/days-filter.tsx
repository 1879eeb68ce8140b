import { addDays, nextMonth } from '@parts-forge/contract/days';
import { Calendar } from 'lucide';
import { useId } from 'react';
import { useSearchParams } from 'react-router';
import { Button } from '#app/ui/button.tsx';
import { DayInput } from '#app/ui/day-input.tsx';
import { formatDay } from '#app/ui/format-day.ts';
import { Icon } from '#app/ui/icon.tsx';
import { useDisclosure } from '#app/ui/use-disclosure.ts';

interface Days {
  /** Empty for none. */
  from: string;
  /** The day after the last one; empty for none. */
  before: string;
}

/** `from` and `before` in the address; the page shows the last day instead of the day after. */
export function DaysFilter({ from, before }: Days) {
  const [, setSearch] = useSearchParams();
  const panel = useDisclosure('pathname');
  const id = useId();
  const choose = (days: Partial<Days>) =>
    setSearch(
      (search) => {
        for (const [name, day] of Object.entries(days)) {
          if (day) search.set(name, day);
          else search.delete(name);
        }
        return search;
      },
      { replace: true, preventScrollReset: true },
    );
  const last = before && addDays(before, -1);
  return (
    <div ref={panel.area} className="relative">
      <button
        ref={panel.button}
        type="button"
        className="btn btn-line h-11 gap-2 bg-base-100"
        aria-expanded={panel.isOpen}
        onClick={panel.toggle}
      >
        <Icon of={Calendar} className="size-4" />
        {nameDays({ from, before })}
      </button>
      {panel.isOpen && (
        <div className="absolute top-12 left-0 z-20 grid w-64 gap-3 rounded-box border border-base-300 bg-base-100 p-4 shadow-[var(--pf-shadow)] sm:right-0 sm:left-auto">
          <label htmlFor={`${id}-from`} className="text-sm text-muted">
            First day
          </label>
          <DayInput
            id={`${id}-from`}
            className="input -mt-2 h-11 w-full"
            day={from}
            onChoose={(day) => choose({ from: day })}
          />
          <label htmlFor={`${id}-last`} className="text-sm text-muted">
            Last day
          </label>
          <DayInput
            id={`${id}-last`}
            className="input -mt-2 h-11 w-full"
            day={last}
            onChoose={(day) => choose({ before: day && addDays(day, 1) })}
          />
          <Button kind="line" size="bar" onClick={() => choose({ from: '', before: '' })}>
            All days
          </Button>
        </div>
      )}
    </div>
  );
}

const monthName = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const nameDay = (day: string) => formatDay(`${day}T00:00:00Z`, 'UTC');

function nameDays({ from, before }: Days): string {
  if (!from && !before) return 'All days';
  if (!before) return `Since ${nameDay(from)}`;
  const last = addDays(before, -1);
  if (!from) return `Until ${nameDay(last)}`;
  if (from.endsWith('-01') && nextMonth(from.slice(0, 7)) === before) return monthName.format(new Date(from));
  return from === last ? nameDay(from) : `${nameDay(from)} to ${nameDay(last)}`;
}

import { addDays, isDay, nextMonth, readDay } from '@parts-forge/contract/text/days';
import { Calendar } from 'lucide';
import { useId } from 'react';
import { useSearchParams } from 'react-router';
import { useShopTimeZone } from '#app/calls/shop-config.ts';
import { Button } from '#app/ui/button.tsx';
import { DayInput } from '#app/ui/day-input.tsx';
import { formatDay } from '#app/ui/format-day.ts';
import { Icon } from '#app/ui/icon.tsx';
import { useDisclosure } from '#app/ui/use-disclosure.ts';

export interface Days {
  /** First day in the shop's time zone, `2026-11-21`; empty for none. */
  from: string;
  /** The day after the last one; empty for none. */
  before: string;
}

/** Drops what is no day. */
export function readDays(search: URLSearchParams): Days {
  const read = (name: string) => {
    const day = search.get(name) ?? '';
    return isDay(day) ? day : '';
  };
  return { from: read('from'), before: read('before') };
}

/** `2026-11`; null for other days than a whole month. */
export const readWholeMonth = ({ from, before }: Days): string | null =>
  from.endsWith('-01') && nextMonth(from.slice(0, 7)) === before ? from.slice(0, 7) : null;

/** `from` and `before` in the address; the page shows the last day instead of the day after. */
export function DaysFilter({ from, before }: Days) {
  const choose = useChoice();
  const panel = useDisclosure('pathname');
  // Both days: on phones the panel covers what is below.
  const chooseAll = (days: Days) => {
    choose(days);
    panel.close();
    panel.button.current?.focus();
  };
  return (
    <div ref={panel.area} className="sm:relative">
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
        <div // On phones as wide as the page, wherever the button is.
          className="absolute inset-x-5 z-20 mt-1 grid gap-3 rounded-box border border-base-300 bg-base-100 p-4 shadow-[var(--pf-shadow)] sm:right-0 sm:left-auto sm:w-64"
        >
          <DayField label="First day" day={from} onChoose={(day) => choose({ from: day })} />
          <DayField
            label="Last day"
            day={before && addDays(before, -1)}
            onChoose={(day) => choose({ before: day && addDays(day, 1) })}
          />
          <Months onChoose={chooseAll} />
          <Button kind="line" size="bar" onClick={() => chooseAll({ from: '', before: '' })}>
            All days
          </Button>
        </div>
      )}
    </div>
  );
}

/** Writes days into the address. */
function useChoice() {
  const [, setSearch] = useSearchParams();
  return (days: Partial<Days>) =>
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
}

interface DayFieldProps {
  label: string;
  day: string;
  onChoose: (day: string) => void;
}

function DayField({ label, ...input }: DayFieldProps) {
  const id = useId();
  return (
    <>
      <label htmlFor={id} className="text-sm text-muted">
        {label}
      </label>
      <DayInput id={id} className="input -mt-2 h-11 w-full" {...input} />
    </>
  );
}

/** By one press, as most work is for the accountant. */
function Months({ onChoose }: { onChoose: (days: Days) => void }) {
  const today = readDay(new Date(), useShopTimeZone());
  const first = `${today.slice(0, 8)}01`;
  const last = `${addDays(first, -1).slice(0, 8)}01`;
  return [
    { name: 'This month', days: { from: first, before: nextMonth(first.slice(0, 7)) } },
    { name: 'Last month', days: { from: last, before: first } },
  ].map(({ name, days }) => (
    <Button key={name} kind="line" size="bar" onClick={() => onChoose(days)}>
      {name}
    </Button>
  ));
}

const monthName = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const nameDay = (day: string) => formatDay(`${day}T00:00:00Z`, 'UTC');

function nameDays({ from, before }: Days): string {
  if (!from && !before) return 'All days';
  if (!before) return `Since ${nameDay(from)}`;
  const last = addDays(before, -1);
  if (!from) return `Until ${nameDay(last)}`;
  if (readWholeMonth({ from, before }) !== null) return monthName.format(new Date(from));
  return from === last ? nameDay(from) : `${nameDay(from)} to ${nameDay(last)}`;
}

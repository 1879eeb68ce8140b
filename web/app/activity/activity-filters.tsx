import type { Activity } from '@parts-forge/contract/events/trail';
import { TRAIL_TOPICS, type TrailTopic } from '@parts-forge/contract/events/trail-events';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { DaysFilter } from '#app/dashboard/days-filter.tsx';
import { useSearchChange, useSearchText } from '#app/dashboard/use-search-text.ts';
import { describeEvent } from '#app/trail/describe-event.ts';
import { Choice } from '#app/ui/choice.tsx';
import { SearchField } from '#app/ui/search-field.tsx';
import { type ActivityFilter, administratorsQueryOptions } from './queries.ts';

const topics: Record<TrailTopic, string> = {
  payments: 'Payments',
  orders: 'Orders',
  stock: 'Stock',
  products: 'Prices and parts',
  people: 'People',
};

interface ActivityFiltersProps {
  filter: ActivityFilter;
  /** The loaded entries, whose actors become choices. */
  entries: readonly Activity[];
  total: string | undefined;
}

export function ActivityFilters({ filter, entries, total }: ActivityFiltersProps) {
  const [q, setQ] = useSearchText();
  const change = useSearchChange();
  const set = (name: keyof ActivityFilter) => (value: string) => change(name, value);
  return (
    <div className="mb-6 flex flex-wrap items-center gap-x-4 gap-y-3">
      <SearchField label="Order, part or person" value={q} onSearch={setQ} />
      <Who who={filter.who} entries={entries} onChange={set('who')} />
      <What what={filter.what} onChange={set('what')} />
      <div className="max-sm:w-full">
        <DaysFilter from={filter.from} before={filter.before} />
      </div>
      <p className="num text-sm text-muted max-sm:w-full sm:ml-auto" aria-live="polite" aria-atomic="true">
        {total && `${entries.length} of ${total}`}
      </p>
    </div>
  );
}

interface WhoProps {
  who: string | null;
  entries: readonly Activity[];
  onChange: (id: string) => void;
}

function Who({ who, entries, onChange }: WhoProps) {
  const { administrators, others } = usePeople(entries);
  const isListed = [...administrators, ...others].some(([id]) => id === who);
  return (
    <Choice label="Who" value={who ?? ''} onChange={onChange}>
      <option value="">Everyone</option>
      <People people={administrators} />
      {others.length > 0 && (
        <optgroup label="Others">
          <People people={others} />
        </optgroup>
      )}
      {/* A link can name a person without listed entries. */}
      {who !== null && !isListed && <option value={who}>One person</option>}
    </Choice>
  );
}

function What({ what, onChange }: { what: string | null; onChange: (topic: string) => void }) {
  return (
    <Choice label="What" value={what ?? ''} onChange={onChange}>
      <option value="">Everything</option>
      {TRAIL_TOPICS.map((topic) => (
        <option key={topic} value={topic}>
          {topics[topic]}
        </option>
      ))}
      {/* A link can name an event instead of a topic. */}
      {what !== null && !(what in topics) && (
        <option value={what}>{describeEvent(what as Activity['event'])}</option>
      )}
    </Choice>
  );
}

/** Ids with names, sorted by name. */
type Named = readonly (readonly [id: string, name: string])[];

/** Administrators, and other actors seen on this page. */
function usePeople(entries: readonly Activity[]): { administrators: Named; others: Named } {
  const { data = [] } = useQuery(administratorsQueryOptions);
  const administrators = data.map(({ _id, name }) => [_id, name] as const);
  const ids = new Set(administrators.map(([id]) => id));
  return { administrators, others: [...useSeenPeople(entries)].filter(([id]) => !ids.has(id)) };
}

/** Keeps all seen actors as choices after filtering by one. */
function useSeenPeople(entries: readonly Activity[]): ReadonlyMap<string, string> {
  const [people, setPeople] = useState<ReadonlyMap<string, string>>(new Map());
  const unseen = entries.flatMap(({ by: { _id, name } }): [string, string][] =>
    _id !== undefined && name !== undefined && !people.has(_id) ? [[_id, name]] : [],
  );
  if (unseen.length > 0) {
    setPeople(new Map([...people, ...unseen].sort(([, a], [, b]) => a.localeCompare(b))));
  }
  return people;
}

const People = ({ people }: { people: Named }) =>
  people.map(([id, name]) => (
    <option key={id} value={id}>
      {name}
    </option>
  ));

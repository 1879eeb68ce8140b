import { TRAIL_EVENTS, TRAIL_TOPICS } from '@parts-forge/contract/events/trail-events';
import { readDays } from '#app/dashboard/days-filter.tsx';
import { readSearchText } from '#app/ui/search-text.ts';
import type { ActivityFilter } from './queries.ts';

const id = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function readActivityFilter(search: URLSearchParams): ActivityFilter {
  const what = search.get('what');
  return {
    q: readSearchText(search),
    who: readMatch(search.get('who'), id),
    what: [...TRAIL_TOPICS, ...TRAIL_EVENTS].find((known) => known === what) ?? null,
    ...readDays(search),
  };
}

const readMatch = (text: string | null, pattern: RegExp): string | null =>
  text !== null && pattern.test(text) ? text : null;

import { TRAIL_EVENTS, TRAIL_TOPICS } from '@parts-forge/contract/trail-events';
import { readSearchText } from '#app/ui/search-text.ts';
import type { ActivityFilter } from './queries.ts';

const id = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const day = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/;

/** Drops invalid values. */
export function readActivityFilter(search: URLSearchParams): ActivityFilter {
  const what = search.get('what');
  return {
    q: readSearchText(search),
    who: readMatch(search.get('who'), id),
    what: [...TRAIL_TOPICS, ...TRAIL_EVENTS].find((known) => known === what) ?? null,
    from: readDay(search.get('from')),
    to: readDay(search.get('to')),
  };
}

const readMatch = (text: string | null, pattern: RegExp): string | null =>
  text !== null && pattern.test(text) ? text : null;

const readDay = (text: string | null): string | null =>
  Number.isNaN(Date.parse(text ?? '')) ? null : readMatch(text, day);

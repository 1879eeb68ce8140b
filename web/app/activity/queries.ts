import { PAGE_LIMIT } from '@parts-forge/contract/bounds';
import { type Activity, listActivity } from '@parts-forge/contract/trail';
import type { TrailEvent, TrailTopic } from '@parts-forge/contract/trail-events';
import { listUsers } from '@parts-forge/contract/users';
import { queryOptions } from '@tanstack/react-query';
import { callList } from '#app/calls/api-client.ts';
import { listQueryOptions } from '#app/calls/list-query.ts';

export interface ActivityFilter {
  /** A whole id of an order or payment, or any part of a part's or a person's name; empty for all. */
  q: string;
  /** The id of whoever did it. */
  who: string | null;
  what: TrailTopic | TrailEvent | null;
  /** A day, `2026-11-21`: what was done from its beginning on, in UTC. */
  from: string | null;
  /** A day: what was done before its beginning. */
  to: string | null;
}

/** Who did what, newest first, for administrators. */
export const activityQueryOptions = (filter: ActivityFilter) =>
  listQueryOptions<Activity>(['activity', filter], (page, signal) =>
    callList(listActivity, { query: { ...page, ...toQuery(filter) }, signal }),
  );

/** Who administers the shop now, by name: most of what is done is done by them. */
export const administratorsQueryOptions = queryOptions({
  queryKey: ['users', 'administrators'],
  queryFn: async ({ signal }) => {
    const query = { role: 'admin', limit: String(PAGE_LIMIT) } as const;
    const { rows } = await callList(listUsers, { query, signal });
    return rows.toSorted((a, b) => a.name.localeCompare(b.name));
  },
});

/** The filter as the calls take it: what is not chosen is left out. */
export const toQuery = ({ q, who, what, from, to }: ActivityFilter) => ({
  ...(q && { q }),
  ...(who && { who }),
  ...(what && { what }),
  ...(from && { from }),
  ...(to && { to }),
});

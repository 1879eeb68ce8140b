import { PAGE_LIMIT } from '@parts-forge/contract/bounds';
import { beginDay } from '@parts-forge/contract/days';
import { type Activity, listActivity } from '@parts-forge/contract/trail';
import type { TrailEvent, TrailTopic } from '@parts-forge/contract/trail-events';
import { listUsers } from '@parts-forge/contract/users';
import { queryOptions } from '@tanstack/react-query';
import { callList } from '#app/calls/api-client.ts';
import { listQueryOptions } from '#app/calls/list-query.ts';
import { readShopTimeZone } from '#app/calls/shop-config.ts';

export interface ActivityFilter {
  /** A whole id of an order or payment, or any part of a part's or a person's name; empty for all. */
  q: string;
  /** The id of whoever did it. */
  who: string | null;
  what: TrailTopic | TrailEvent | null;
  /** A day of the shop's time zone, `2026-11-21`: what was done from its beginning on. */
  from: string | null;
  /** A day: what was done before its beginning. */
  to: string | null;
}

/** Who did what, newest first, for administrators. */
export const activityQueryOptions = (filter: ActivityFilter) =>
  listQueryOptions<Activity>(['activity', filter], async (page, signal) => {
    const query = { ...page, ...toQuery(filter, await readShopTimeZone()) };
    return callList(listActivity, { query, signal });
  });

/** Who administers the shop now, by name: most of what is done is done by them. */
export const administratorsQueryOptions = queryOptions({
  queryKey: ['users', 'administrators'],
  queryFn: async ({ signal }) => {
    const query = { role: 'admin', limit: String(PAGE_LIMIT) } as const;
    const { rows } = await callList(listUsers, { query, signal });
    return rows.toSorted((a, b) => a.name.localeCompare(b.name));
  },
});

/** The filter as the calls take it: what is not chosen is left out. A day is the moment at which it begins. */
export const toQuery = ({ q, who, what, from, to }: ActivityFilter, timeZone: string) => ({
  ...(q && { q }),
  ...(who && { who }),
  ...(what && { what }),
  ...(from && { from: beginDay(from, timeZone).toISOString() }),
  ...(to && { to: beginDay(to, timeZone).toISOString() }),
});

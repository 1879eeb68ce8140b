import { PAGE_LIMIT } from '@parts-forge/contract/calls/bounds';
import { type Activity, listActivity } from '@parts-forge/contract/events/trail';
import type { TrailEvent, TrailTopic } from '@parts-forge/contract/events/trail-events';
import { listUsers } from '@parts-forge/contract/people/users';
import { beginDay } from '@parts-forge/contract/text/days';
import { queryOptions } from '@tanstack/react-query';
import { callList } from '#app/calls/api-client.ts';
import { listQueryOptions } from '#app/calls/list-query.ts';
import { readShopTimeZone } from '#app/calls/shop-config.ts';
import type { Days } from '#app/dashboard/days-filter.tsx';

export interface ActivityFilter extends Days {
  /** A whole order or payment id, or a piece of a name; empty for all. */
  q: string;
  /** Id of the actor. */
  who: string | null;
  what: TrailTopic | TrailEvent | null;
}

/** The activity, newest first. Administrators only. */
export const activityQueryOptions = (filter: ActivityFilter) =>
  listQueryOptions<Activity>(['activity', filter], async (page, signal) => {
    const query = { ...page, ...toQuery(filter, await readShopTimeZone()) };
    return callList(listActivity, { query, signal });
  });

/** Current administrators by name: they cause most entries. */
export const administratorsQueryOptions = queryOptions({
  queryKey: ['users', 'administrators'],
  queryFn: async ({ signal }) => {
    const query = { role: 'admin', limit: String(PAGE_LIMIT) } as const;
    const { rows } = await callList(listUsers, { query, signal });
    return rows.toSorted((a, b) => a.name.localeCompare(b.name));
  },
});

/** A day becomes its first moment. */
export const toQuery = ({ q, who, what, from, before }: ActivityFilter, timeZone: string) => ({
  ...(q && { q }),
  ...(who && { who }),
  ...(what && { what }),
  ...(from && { from: beginDay(from, timeZone).toISOString() }),
  ...(before && { to: beginDay(before, timeZone).toISOString() }),
});

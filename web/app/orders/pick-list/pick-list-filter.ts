import { PAGE_LIMIT } from '@parts-forge/contract/bounds';
import { beginDay, isDay, nameTimeZone, readDay } from '@parts-forge/contract/days';
import { formatDay } from '#app/ui/format-day.ts';

/** Accepted in the last 24 hours, since midnight, or since a day (`2026-11-21`). */
export type AcceptedSince = 'day' | 'today' | `${number}-${number}-${number}`;

export interface PickFilter {
  /** Order ids, at most one page; empty for all of the status. */
  chosen: readonly string[];
  status: 'pending' | 'paid';
  /** Leaves out accepted orders that were shipped before. */
  since: AcceptedSince;
}

/** Of chosen orders. */
export const getSlipsPath = (ids: readonly string[]): string =>
  `/dashboard/packing-slips?orders=${ids.join()}`;

const isId = (text: string) => /^[0-9a-f-]{36}$/i.test(text);

/** Reads the filter from the address. */
export const readPickFilter = (search: URLSearchParams): PickFilter => ({
  chosen: [...new Set((search.get('orders') ?? '').split(',').filter(isId))].slice(0, PAGE_LIMIT),
  status: search.get('status') === 'paid' ? 'paid' : 'pending',
  since: readSince(search.get('since') ?? ''),
});

/** Printed, as the choice itself is not. */
export function describePick({ status, since }: PickFilter, timeZone: string): string {
  if (status === 'pending') return 'Waiting for acceptance.';
  if (since === 'day') return 'Accepted in the last 24 hours.';
  const zone = nameTimeZone(timeZone);
  return since === 'today'
    ? `Accepted today (${zone}).`
    : `Accepted since ${formatDay(`${since}T00:00:00`)} (${zone}).`;
}

const readSince = (text: string): AcceptedSince => (text === 'today' || isDay(text) ? text : 'day');

/** The earliest acceptance as an ISO time. Days begin in the shop's time zone. */
export function computeSince(since: AcceptedSince, now: Date, timeZone: string): string {
  if (since === 'day') return new Date(now.getTime() - 24 * 60 * 60 * 1000).toISOString();
  return beginDay(since === 'today' ? readDay(now, timeZone) : since, timeZone).toISOString();
}

import { PAGE_LIMIT } from '@parts-forge/contract/calls/bounds';
import { isDay, nameTimeZone } from '@parts-forge/contract/text/days';
import { formatDay } from '#app/ui/format-day.ts';

export interface PickFilter {
  /** Order ids, at most one page; empty for all of the status. */
  chosen: readonly string[];
  status: 'pending' | 'paid';
  /** Leaves out orders that were accepted before this day (`2026-11-21`); empty for none. */
  since: string;
}

export const getSlipsPath = (ids: readonly string[]): string =>
  `/dashboard/packing-slips?orders=${ids.join()}`;

const isId = (text: string) => /^[0-9a-f-]{36}$/i.test(text);

/** Reads the filter from the address. */
export const readPickFilter = (search: URLSearchParams): PickFilter => ({
  chosen: [...new Set((search.get('orders') ?? '').split(',').filter(isId))].slice(0, PAGE_LIMIT),
  status: search.get('status') === 'paid' ? 'paid' : 'pending',
  since: [search.get('since') ?? ''].find(isDay) ?? '',
});

/** Printed, as the choice itself is not. */
export function describePick({ status, since }: PickFilter, timeZone: string): string {
  if (status === 'pending') return 'Waiting for acceptance.';
  if (since === '') return 'All that is to be sent.';
  return `To be sent, accepted since ${formatDay(`${since}T00:00:00`)} (${nameTimeZone(timeZone)}).`;
}

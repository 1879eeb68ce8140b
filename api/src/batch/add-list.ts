import { formatCount } from '@parts-forge/contract/money/money';
import type { AddedList } from '@parts-forge/contract/orders/batch';
import type { ReadLine, UnreadLine } from '@parts-forge/contract/orders/batch-lines';
import type { Customer } from '#src/platform/http/calls/access.ts';
import type { Platform } from '#src/platform/platform.ts';
import { addReadLines } from './add-read-lines.ts';

export interface ReadList {
  lines: readonly ReadLine[];
  unread: readonly UnreadLine[];
  header?: string | null;
  /** Says to the customer how the list was read. */
  because: readonly string[];
}

/** @returns what became of each line, without the batch itself */
export async function addList(
  platform: Pick<Platform, 'config' | 'database' | 'clock'>,
  customer: Customer,
  { header, because, ...list }: ReadList,
): Promise<Omit<AddedList, 'data'>> {
  const { lines, unread } = await addReadLines(platform, customer, list);
  const all = list.lines.length + list.unread.length;
  const added = all - unread.length;
  const joined = added - lines.filter(({ before }) => before === 0).length;
  const into = joined === 0 ? '' : `, ${joined} into a line of the same part`;
  const read = [`${added} of ${formatCount(all, 'line')} read${into}.`, ...because].join(' ');
  return { lines, unread, added, ...(header && { header }), read };
}

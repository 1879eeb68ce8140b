import { formatCount } from '@parts-forge/contract/money/money';
import type { AddedList } from '@parts-forge/contract/orders/batch';
import type { ReadList } from '@parts-forge/contract/orders/batch-lines';
import { invalidField } from '#src/platform/core/problem.ts';
import type { Customer } from '#src/platform/http/calls/access.ts';
import type { Platform } from '#src/platform/platform.ts';
import { addReadLines } from './add-read-lines.ts';

/**
 * @param choice one of the list's columns, from 1; 0 for none
 * @returns what became of each line, without the batch itself; `columns` asks for a choice, and nothing is added
 * @throws Problem `invalid` for a column that the list does not have
 */
export async function addList(
  platform: Pick<Platform, 'config' | 'database' | 'clock'>,
  customer: Customer,
  { header, because, columns, ...list }: ReadList,
  choice: number,
): Promise<Omit<AddedList, 'data'>> {
  if (choice > columns.length)
    throw invalidField('quantity', `The list asks for one of ${columns.length} columns.`);
  if (choice === 0 && columns.length > 0) {
    const asked = columns.map(({ name, example }) => ({ name, example }));
    return { lines: [], unread: [], added: 0, read: 'Which column holds the pieces?', columns: asked };
  }
  const { lines, unread } = await addReadLines(platform, customer, list);
  const all = list.lines.length + list.unread.length;
  const added = all - unread.length;
  const joined = added - lines.filter(({ before }) => before === 0).length;
  const into = joined === 0 ? '' : `, ${joined} into a line of the same part`;
  const read = [`${added} of ${formatCount(all, 'line')} read${into}.`, ...because].join(' ');
  return { lines, unread, added, ...(header && { header }), read };
}

import type { LineOnPage } from './use-batch-lines.ts';
import type { Entry } from './use-groups.ts';
import type { UnreadLine } from './use-list.ts';

/** Targets of links to a line. */
export const quantityFieldId = (line: Pick<LineOnPage, 'product'>): string => `quantity-${line.product._id}`;
export const removeButtonId = (productId: string): string => `remove-${productId}`;
export const problemId = (line: Pick<LineOnPage, 'product'>): string => `problem-${line.product._id}`;
export const unreadId = ({ line, text }: UnreadLine): string => `unread-${line}-${text}`;

/** The first thing in a line that can be done. */
export function findDecisionId(entry: Entry): string {
  if ('unread' in entry) return unreadId(entry.unread);
  return entry.row.gone ? removeButtonId(entry.row.product._id) : quantityFieldId(entry.row);
}

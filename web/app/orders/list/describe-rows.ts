import { formatCount, formatPieces } from '@parts-forge/contract/money/money';
import type { countOrders } from '@parts-forge/contract/orders/orders';
import type * as z from 'zod/mini';
import type { OrderFilter } from './order-filter.ts';

/**
 * `1 to 24 of 512: 96 purchases and 416 single orders, 1,204 orders in all`.
 * @param total of the rows, as in the response
 * @param counts absent for a search
 */
export function describeRows(
  shown: number,
  total: string,
  show: OrderFilter['show'],
  counts?: z.output<typeof countOrders.answer>,
): string {
  const state = show === '' ? 'open' : show === 'to-send' ? 'toSend' : show;
  const rows = counts?.[state];
  const purchases = counts?.purchases?.[state];
  const orders = counts?.orders?.[state];
  const isWhole = total === String(shown);
  if (rows === undefined || purchases === undefined || orders === undefined)
    return isWhole ? formatCount(shown, 'row') : `1 to ${formatPieces(shown)} of ${total} rows`;
  const kinds = [
    purchases > 0 && formatCount(purchases, 'purchase'),
    rows > purchases && formatCount(rows - purchases, 'single order'),
  ];
  const head = isWhole ? formatCount(rows, 'row') : `1 to ${formatPieces(shown)} of ${formatPieces(rows)}`;
  return `${head}: ${kinds.filter(Boolean).join(' and ')}, ${formatCount(orders, 'order')} in all`;
}

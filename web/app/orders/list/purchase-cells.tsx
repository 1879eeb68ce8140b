import { messages } from '@parts-forge/contract/calls/messages';
import { formatCount } from '@parts-forge/contract/money/money';
import { type OrderClosing, type OrderStatus, statusLabel } from '@parts-forge/contract/orders/order-states';
import type { Order, PurchaseRow } from '@parts-forge/contract/orders/orders';
import { FoldButton, type RowDetail } from '#app/rows/work-table.tsx';
import { type ChipStatus, StatusChip } from '#app/ui/status-chip.tsx';

type State = OrderStatus | OrderClosing;

/** Whether the row shows the order: itself, or as one of its purchase. */
export const isRowOf = (row: Order, order: Order): boolean =>
  row.purchase?.row ? row.purchase.number === order.purchase?.number : row._id === order._id;

/** Stays when another order of the purchase becomes the first that matches. */
export const getRowKey = ({ _id, purchase }: Order): string =>
  purchase?.row ? `purchase ${purchase.number}` : _id;

export const nameRow = ({ number, purchase }: Order): string =>
  purchase?.row ? `purchase ${purchase.number}` : `order ${number}`;

export const isEndedRow = ({ closed, purchase }: Order): boolean =>
  purchase?.row
    ? !(['due', 'pending', 'paid'] as const).some((status) => purchase.row?.states[status])
    : closed !== undefined;

/** For administrators a paid order is 'Shipped' (specification §4). */
export function nameState(state: State, isForAdmin: boolean): ChipStatus {
  if (state === 'paid' && isForAdmin) return messages.shipped;
  return state === 'due' || state === 'pending' || state === 'paid' ? statusLabel(state) : state;
}

interface PurchasePartsProps {
  order: Order;
  detail: RowDetail;
  isForAdmin?: boolean | undefined;
}

export function PurchaseParts({ order: { purchase, reference }, detail, isForAdmin }: PurchasePartsProps) {
  if (!purchase?.row) return null;
  const { names } = purchase.row;
  const others = purchase.orders - names.length;
  const isReference = !isForAdmin && reference !== undefined;
  const known = isReference ? reference : names.join(others > 0 ? ', ' : ' and ');
  return (
    <span>
      <FoldButton label={`Lines of purchase ${purchase.number}`} {...detail} />
      <span>
        <strong className="line num">{`${purchase.orders} parts`}</strong>
        <span className="sub !flex" title={known}>
          <bdi className="truncate">{known}</bdi>
          {!isReference && others > 0 && (
            <span className="num shrink-0 whitespace-pre">{` and ${others} more`}</span>
          )}
        </span>
      </span>
    </span>
  );
}

/** One status, or how many of each, the most first. */
export function PurchaseState({
  row,
  isForAdmin = false,
}: {
  row: PurchaseRow;
  isForAdmin?: boolean | undefined;
}) {
  const states = Object.entries(row.states)
    .map<{ name: ChipStatus; count: number }>(([state, count]) => ({
      name: nameState(state as State, isForAdmin),
      count,
    }))
    .toSorted((a, b) => b.count - a.count);
  const [first, ...others] = states;
  const [second, ...more] = others;
  if (first && !second) {
    return (
      <span className="min-w-0">
        <StatusChip status={first.name} />
        {row.parcels > 0 && <span className="sub">{formatCount(row.parcels, 'parcel')}</span>}
      </span>
    );
  }
  const rest = others.map(({ name, count }) => `${count} ${name}`).join(', ');
  return (
    <span className="pf-split">
      <span data-status={first?.name}>{`${first?.count} ${first?.name}`}</span>
      {more.length === 0 ? (
        <span data-status={second?.name}>{rest}</span>
      ) : (
        <span title={rest}>{`${others.reduce((sum, { count }) => sum + count, 0)} others`}</span>
      )}
    </span>
  );
}

import { formatAmount, formatPieces } from '@parts-forge/contract/money';
import { canMove } from '@parts-forge/contract/order-states';
import type { Order } from '@parts-forge/contract/orders';
import { Link } from 'react-router';
import type { RowNotices } from '#app/dashboard/use-row-notices.tsx';
import { ClosingChip, HeldUntil, MoneyChip } from '#app/orders/order-money.tsx';
import { getOrderPath, getPaymentPath } from '#app/orders/order-path.ts';
import { OrderStatusChip } from '#app/orders/order-status-chip.tsx';
import { TransactionId } from '#app/orders/transaction-id.tsx';
import { ProductCell } from '#app/products/product-cell.tsx';
import { Button, getButtonClasses } from '#app/ui/button.tsx';
import { formatDay } from '#app/ui/format-day.ts';
import { type Column, Table } from '#app/ui/table.tsx';
import { useOnline } from '#app/ui/use-online.ts';
import { OrderAgainButton } from './order-again-button.tsx';
import { type ChosenOrders, isPayable } from './use-chosen-orders.ts';

interface MyOrdersTableProps {
  orders: readonly Order[];
  /** Whether the rows still belong to the previous filter. */
  busy: boolean;
  chosen: ChosenOrders;
  onCancel: (order: Order) => void;
  notices: Pick<RowNotices<Order>, 'render'>;
}

/** Unpaid orders can be paid, alone or together, and cancelled (specification §4). */
export function MyOrdersTable({ orders, busy, chosen, onCancel, notices }: MyOrdersTableProps) {
  const online = useOnline();
  const hasBoxes = orders.some(isPayable);
  const columns: Column<Order>[] = [
    { head: 'Part', cell: (order) => <OrderCell order={order} chosen={chosen} hasBoxes={hasBoxes} /> },
    { head: 'Quantity', right: true, cell: (order) => formatPieces(order.quantity) },
    { head: 'Total price', right: true, cell: (order) => formatAmount(order.totalPrice) },
    { head: 'Status', cell: (order) => <Status order={order} /> },
    { head: 'Transaction ID', cell: (order) => <Progress order={order} /> },
    {
      head: 'Action',
      actions: true,
      cell: (order) =>
        isPayable(order) ? (
          <UnpaidActions
            order={order}
            online={online}
            // The page has one filled button; with chosen orders, the bar has it.
            isMain={chosen.orders.length === 0}
            onCancel={onCancel}
          />
        ) : (
          <span className="acts flex justify-end">
            <OrderAgainButton order={order} kind="line" size="row" />
          </span>
        ),
    },
  ];
  return (
    <Table
      caption="Your orders, newest first"
      busy={busy}
      columns={columns}
      rows={orders}
      getKey={(order) => order._id}
      renderNotice={(order) => notices.render(order, order.productName)}
    />
  );
}

interface OrderCellProps {
  order: Order;
  chosen: ChosenOrders;
  /** Whether any row has a checkbox; the others then leave room. */
  hasBoxes: boolean;
}

/** The part links to its order; an unpaid order has a checkbox for paying together. */
function OrderCell({ order, chosen, hasBoxes }: OrderCellProps) {
  const under = (
    <>
      <span className="num whitespace-nowrap">Order {order.number}</span>,{' '}
      <span className="num inline-block max-w-full [overflow-wrap:anywhere]">{order.partNumber}</span>,{' '}
      <span className="whitespace-nowrap">{formatDay(order.createdAt)}</span>
      {order.reference !== undefined && <span className="block">{order.reference}</span>}
    </>
  );
  return (
    <span className="flex items-center gap-3">
      {isPayable(order) ? (
        <label className="-ml-2.5 grid size-11 shrink-0 cursor-pointer place-items-center">
          <input
            type="checkbox"
            className="checkbox checkbox-neutral size-6 rounded-[3px]"
            aria-label={`Choose order ${order.number} to pay`}
            checked={chosen.isChosen(order)}
            disabled={chosen.isFull && !chosen.isChosen(order)}
            onChange={() => chosen.toggle(order)}
          />
        </label>
      ) : (
        hasBoxes && <span className="w-[2.125rem] shrink-0 @max-[44rem]:hidden" />
      )}
      <ProductCell
        image={order.image}
        name={
          <Link
            to={getOrderPath(order)}
            className="inline-block max-w-full py-0.5 hover:text-primary hover:underline"
          >
            {order.productName}
          </Link>
        }
        under={under}
      />
    </span>
  );
}

function Status({ order }: { order: Order }) {
  return (
    <span className="flex flex-col items-start">
      {order.closed ? (
        <ClosingChip closed={order.closed} refund={order.refund} />
      ) : (
        <OrderStatusChip status={order.status} />
      )}
      {order.closed !== 'refunded' && <MoneyChip order={order} />}
      <HeldUntil order={order} />
    </span>
  );
}

function Progress({ order }: { order: Order }) {
  const isClosed = order.closed !== undefined;
  const isPending = !isClosed && canMove(order.status, 'accept');
  if (order.transactionId === undefined) {
    return <span className="text-muted text-sm">{isClosed ? 'None' : 'None yet'}</span>;
  }
  return (
    <>
      <TransactionId id={order.transactionId} isShort />
      {isPending && <span className="block text-muted text-sm">Payment received, being confirmed</span>}
    </>
  );
}

interface UnpaidActionsProps {
  order: Order;
  online: boolean;
  isMain: boolean;
  onCancel: (order: Order) => void;
}

/** Disabled offline; the banner under the navbar tells why. */
function UnpaidActions({ order, online, isMain, onCancel }: UnpaidActionsProps) {
  const about = `${order.productName}, ${formatPieces(order.quantity)} pieces`;
  const pay = `Pay for ${about}`;
  const look = isMain ? 'primary' : 'line';
  return (
    <span className="acts flex justify-end gap-2">
      {online ? (
        <Link to={getPaymentPath([order])} className={getButtonClasses(look, 'row', 'px-5')} aria-label={pay}>
          Pay
        </Link>
      ) : (
        <Button kind={look} size="row" className="px-5" aria-label={pay} disabled>
          Pay
        </Button>
      )}
      <Button
        kind="danger-line"
        size="row"
        aria-label={`Cancel order of ${about}`}
        disabled={!online}
        onClick={() => onCancel(order)}
      >
        Cancel
      </Button>
    </span>
  );
}

import { formatAmount, formatPieces } from '@parts-forge/contract/money';
import { canMove } from '@parts-forge/contract/order-states';
import type { Order } from '@parts-forge/contract/orders';
import { Link } from 'react-router';
import type { RowNotices } from '#app/dashboard/use-row-notices.tsx';
import { ProductCell } from '#app/products/product-cell.tsx';
import { Button, getButtonClasses } from '#app/ui/button.tsx';
import { formatDay } from '#app/ui/format-day.ts';
import { type Column, Table } from '#app/ui/table.tsx';
import { useOnline } from '#app/ui/use-online.ts';
import { HeldUntil, MoneyChip } from './order-money.tsx';
import { OrderStatusChip } from './order-status-chip.tsx';
import { TransactionId } from './transaction-id.tsx';

interface MyOrdersTableProps {
  orders: readonly Order[];
  onCancel: (order: Order) => void;
  notices: Pick<RowNotices<Order>, 'render'>;
}

/** One's own orders: unpaid ones can be paid and cancelled, the others say how far they are (specification §4). */
export function MyOrdersTable({ orders, onCancel, notices }: MyOrdersTableProps) {
  const online = useOnline();
  const columns: Column<Order>[] = [
    {
      head: 'Part',
      cell: (order) => (
        <ProductCell image={order.image} name={order.productName} under={formatDay(order.createdAt)} />
      ),
    },
    { head: 'Quantity', right: true, cell: (order) => formatPieces(order.quantity) },
    { head: 'Total price', right: true, cell: (order) => formatAmount(order.totalPrice) },
    { head: 'Status', cell: (order) => <Status order={order} /> },
    { head: 'Transaction ID', cell: (order) => <Progress order={order} /> },
    {
      head: 'Action',
      actions: true,
      cell: (order) =>
        canMove(order.status, 'cancel') && (
          <UnpaidActions order={order} online={online} onCancel={onCancel} />
        ),
    },
  ];
  return (
    <Table
      caption="Your orders, newest first"
      columns={columns}
      rows={orders}
      getKey={(order) => order._id}
      renderNotice={(order) => notices.render(order, order.productName)}
    />
  );
}

function Status({ order }: { order: Order }) {
  return (
    <span className="flex flex-col items-start">
      <OrderStatusChip status={order.status} />
      <MoneyChip order={order} />
      <HeldUntil order={order} />
    </span>
  );
}

function Progress({ order }: { order: Order }) {
  if (order.status === 'paid' && order.transactionId) return <TransactionId id={order.transactionId} />;
  return (
    <span className="text-sm text-muted">
      {canMove(order.status, 'accept') ? 'Waiting for acceptance' : 'None yet'}
    </span>
  );
}

interface UnpaidActionsProps {
  order: Order;
  online: boolean;
  onCancel: (order: Order) => void;
}

/** Without a connection both are disabled; the band under the navbar says why. */
function UnpaidActions({ order, online, onCancel }: UnpaidActionsProps) {
  const about = `${order.productName}, ${formatPieces(order.quantity)} pieces`;
  const pay = `Pay for ${about}`;
  return (
    <span className="acts flex justify-end gap-2">
      {online ? (
        <Link
          to={`/dashboard/payment/${order._id}`}
          className={getButtonClasses('primary', 'row', 'px-5')}
          aria-label={pay}
        >
          Pay
        </Link>
      ) : (
        <Button kind="primary" size="row" className="px-5" aria-label={pay} disabled>
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

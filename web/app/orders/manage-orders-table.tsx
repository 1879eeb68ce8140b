import { formatAmount, formatPieces } from '@parts-forge/contract/money';
import { canMove } from '@parts-forge/contract/order-states';
import { canRefund, type Order } from '@parts-forge/contract/orders';
import { ChevronDown } from 'lucide-react';
import type { RowNotices } from '#app/dashboard/use-row-notices.tsx';
import { ProductCell } from '#app/products/product-cell.tsx';
import { Button } from '#app/ui/button.tsx';
import { EmailText } from '#app/ui/email-text.tsx';
import { formatDay } from '#app/ui/format-day.ts';
import { Icon } from '#app/ui/icon.tsx';
import { type Column, Table } from '#app/ui/table.tsx';
import { useOnline } from '#app/ui/use-online.ts';
import { StatusForAdmin } from './status-for-admin.tsx';

interface OrderActions {
  /** The order whose payment is being accepted. */
  acceptingId: string | null;
  onAccept: (order: Order) => void;
  onCancel: (order: Order) => void;
  onRefund: (order: Order) => void;
}

interface ManageOrdersTableProps extends OrderActions {
  orders: readonly Order[];
  /** Whether the rows are still of the filter before. */
  busy: boolean;
  notices: Pick<RowNotices<Order>, 'render'>;
}

/**
 * Everybody's orders: unpaid ones can be cancelled, pending ones accepted, paid ones are shipped (specification §4).
 * Money that is there can be given back.
 */
export function ManageOrdersTable({ orders, busy, notices, ...actions }: ManageOrdersTableProps) {
  const columns: Column<Order>[] = [
    {
      head: 'Part',
      cell: (order) => (
        <ProductCell image={order.image} name={order.productName} under={formatDay(order.createdAt)} />
      ),
    },
    { head: 'Customer', cell: (order) => <Customer order={order} /> },
    { head: 'Quantity', right: true, cell: (order) => formatPieces(order.quantity) },
    { head: 'Total price', right: true, cell: (order) => formatAmount(order.totalPrice) },
    { head: 'Status', cell: (order) => <StatusForAdmin order={order} /> },
    {
      head: 'Action',
      actions: true,
      cell: (order) => <OrderAction order={order} {...actions} />,
    },
  ];
  return (
    <Table
      caption="All orders, newest first"
      busy={busy}
      columns={columns}
      rows={orders}
      getKey={(order) => order._id}
      renderNotice={(order) => notices.render(order, `${order.productName}, ${order.name}`)}
    />
  );
}

interface OrderActionProps extends OrderActions {
  order: Order;
}

/** What can be done to an order in its status. */
function OrderAction({ order, acceptingId, onAccept, onCancel, onRefund }: OrderActionProps) {
  const isPending = canMove(order.status, 'accept');
  if (canMove(order.status, 'cancel')) {
    return (
      <span className="acts flex justify-end">
        <CancelButton order={order} onCancel={onCancel} />
      </span>
    );
  }
  if (!isPending && !canRefund(order)) return null;
  return (
    <span className="acts flex justify-end gap-2">
      {canRefund(order) && <RefundButton order={order} onRefund={onRefund} />}
      {isPending && <AcceptButton order={order} busy={acceptingId === order._id} onAccept={onAccept} />}
    </span>
  );
}

/** The order's part, customer and pieces, which tell its buttons from those of the other rows. */
const nameOrder = (order: Order): string =>
  `${order.productName} by ${order.name}, ${formatPieces(order.quantity)} pieces`;

function CancelButton({ order, onCancel }: Pick<OrderActionProps, 'order' | 'onCancel'>) {
  return (
    <Button
      kind="danger-line"
      size="row"
      aria-label={`Cancel order of ${nameOrder(order)}`}
      disabled={!useOnline()}
      onClick={() => onCancel(order)}
    >
      Cancel
    </Button>
  );
}

function RefundButton({ order, onRefund }: Pick<OrderActionProps, 'order' | 'onRefund'>) {
  return (
    <Button
      kind="danger-line"
      size="row"
      aria-label={`Refund order of ${nameOrder(order)}`}
      disabled={!useOnline()}
      // The second press of a double click was for the button that stood here before.
      onClick={({ detail }) => detail < 2 && onRefund(order)}
    >
      Refund
    </Button>
  );
}

function AcceptButton({
  order,
  busy,
  onAccept,
}: Pick<OrderActionProps, 'order' | 'onAccept'> & { busy: boolean }) {
  return (
    <Button
      kind="strong"
      size="row"
      aria-label={`accept payment for ${nameOrder(order)}`}
      disabled={!useOnline()}
      className="min-w-[8.75rem]"
      busy={busy}
      busyLabel="Accepting…"
      // The second press of a double click falls on the row that has moved up meanwhile.
      onClick={({ detail }) => detail < 2 && onAccept(order)}
    >
      accept payment
    </Button>
  );
}

function Customer({ order }: { order: Order }) {
  return (
    <>
      <span className="block leading-5 [overflow-wrap:anywhere] @min-[55rem]:min-w-44">{order.name}</span>
      <span className="block text-micro text-muted">
        <EmailText email={order.email} />
      </span>
      <details className="text-micro">
        <summary
          className="inline-flex min-h-6 cursor-pointer list-none items-center gap-1 text-muted hover:text-base-content [&::-webkit-details-marker]:hidden"
          aria-label={`Address of ${order.name}, ${order.productName}`}
        >
          Address
          <Icon of={ChevronDown} className="size-3.5" />
        </summary>
        <span className="num block max-w-[22ch] whitespace-pre-line pb-1 leading-5 [overflow-wrap:anywhere]">
          {order.address}
          {'\n'}
          {order.phone}
        </span>
      </details>
    </>
  );
}

import { formatAmount, formatPieces } from '@parts-forge/contract/money';
import { canMove } from '@parts-forge/contract/order-states';
import { canRefund, type Order } from '@parts-forge/contract/orders';
import { ChevronDown } from 'lucide';
import { Link } from 'react-router';
import type { RowNotices } from '#app/dashboard/use-row-notices.tsx';
import { ProductCell } from '#app/products/product-cell.tsx';
import { Button } from '#app/ui/button.tsx';
import { EmailText } from '#app/ui/email-text.tsx';
import { formatDay } from '#app/ui/format-day.ts';
import { Icon } from '#app/ui/icon.tsx';
import { type Column, Table } from '#app/ui/table.tsx';
import { useOnline } from '#app/ui/use-online.ts';
import { AcceptButton, AcceptedNote, canAcceptInRow, nameOrder } from './accept-in-row.tsx';
import { StatusForAdmin } from './status-for-admin.tsx';
import { isAcceptable, type RowAcceptance } from './use-acceptance.tsx';

interface OrderActions {
  acceptance: RowAcceptance;
  onCancel: (order: Order) => void;
  onRefund: (order: Order) => void;
}

interface ManageOrdersTableProps extends OrderActions {
  orders: readonly Order[];
  /** Whether the rows still belong to the previous filter. */
  busy: boolean;
  notices: Pick<RowNotices<Order>, 'render'>;
}

/** Unpaid orders can be cancelled, pending ones accepted, paid ones refunded (specification §4). */
export function ManageOrdersTable({ orders, busy, notices, ...actions }: ManageOrdersTableProps) {
  const columns: Column<Order>[] = [
    {
      head: 'Part',
      cell: (order) => <OrderedPart order={order} {...actions} />,
    },
    { head: 'Customer', cell: (order) => <Customer order={order} /> },
    { head: 'Quantity', right: true, cell: (order) => formatPieces(order.quantity) },
    { head: 'Total price', right: true, cell: (order) => formatAmount(order.totalPrice) },
    { head: 'Status', cell: (order) => <StatusAndPayment order={order} /> },
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
      renderNotice={(order) =>
        notices.render(
          order,
          <>
            {order.productName}, <bdi>{order.name}</bdi>
          </>,
        )
      }
    />
  );
}

interface OrderActionProps extends OrderActions {
  order: Order;
}

/** The actions that the order's status allows. */
function OrderAction({ order, acceptance, onCancel, onRefund }: OrderActionProps) {
  if (acceptance.isAccepted(order)) return <AcceptedNote />;
  if (order.closed !== undefined) return null;
  if (canMove(order.status, 'cancel')) {
    return (
      <span className="acts flex justify-end">
        <CancelButton order={order} onCancel={onCancel} />
      </span>
    );
  }
  if (!canAcceptInRow(order) && !canRefund(order)) return null;
  return (
    <span className="acts flex justify-end gap-2">
      {canRefund(order) && <RefundButton order={order} onRefund={onRefund} />}
      {canAcceptInRow(order) && <AcceptButton order={order} acceptance={acceptance} />}
    </span>
  );
}

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
      // A double click's second press was meant for the accept button, which stood here.
      onClick={({ detail }) => detail < 2 && onRefund(order)}
    >
      Refund
    </Button>
  );
}

/** The part links to its order; the checkbox selects it for accepting several. */
function OrderedPart({ order, acceptance }: Pick<OrderActionProps, 'order' | 'acceptance'>) {
  return (
    <span className="flex items-center gap-4">
      {isAcceptable(order) && (
        <input
          type="checkbox"
          className="checkbox checkbox-neutral size-6 shrink-0 rounded-[3px]"
          aria-label={`Choose order ${order.number}, ${nameOrder(order)}`}
          checked={acceptance.chosen.has(order._id)}
          onChange={() => acceptance.toggle(order)}
        />
      )}
      <ProductCell
        image={order.image}
        name={
          <Link className="hover:text-primary hover:underline" to={`/dashboard/order/${order._id}`}>
            {order.productName}
          </Link>
        }
        under={
          <span className="num">
            {order.number}, {order.partNumber}, {formatDay(order.createdAt)}
          </span>
        }
      />
    </span>
  );
}

/** The transaction id finds the payment at the provider. */
function StatusAndPayment({ order }: { order: Order }) {
  return (
    <>
      <StatusForAdmin order={order} />
      {order.transactionId !== undefined && (
        <span className="mt-1 block max-w-[22ch] text-micro text-muted [overflow-wrap:anywhere]">
          {order.transactionId}
        </span>
      )}
    </>
  );
}

function Customer({ order }: { order: Order }) {
  return (
    <>
      <span className="block leading-5 [overflow-wrap:anywhere] @min-[55rem]:min-w-44">
        <bdi>{order.name}</bdi>
      </span>
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

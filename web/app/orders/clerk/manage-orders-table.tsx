import { canMove } from '@parts-forge/contract/orders/order-states';
import { canRefund, type Order } from '@parts-forge/contract/orders/orders';
import { Link } from 'react-router';
import { RowFacts } from '#app/orders/list/order-cells.tsx';
import { type ListedOrders, OrdersTable } from '#app/orders/list/orders-table.tsx';
import { RowMenu } from '#app/rows/row-menu.tsx';
import type { RowDetail } from '#app/rows/work-table.tsx';
import { Button } from '#app/ui/button.tsx';
import { useOnline } from '#app/ui/use-online.ts';
import { AcceptButton, AcceptedNote, canAcceptInRow, nameOrder } from './accept-in-row.tsx';
import type { RowAcceptance } from './use-acceptance.tsx';

interface OrderActions {
  acceptance: RowAcceptance;
  onCancel: (order: Order) => void;
  onRefund: (order: Order) => void;
}

/** Unpaid orders can be cancelled, pending ones accepted, paid ones refunded (specification §4). */
export const ManageOrdersTable = ({ actions, ...listed }: ListedOrders & { actions: OrderActions }) => (
  <OrdersTable
    {...listed}
    kind="orders"
    caption="All orders"
    email={null}
    third={{ head: 'Customer', cell: (order) => <Customer {...order} /> }}
    action={(order, detail) => <OrderAction order={order} detail={detail} {...actions} />}
    renderDetail={(order) => <OrderDetail order={order} />}
    describe={({ productName, name }) => (
      <>
        {productName}, <bdi>{name}</bdi>
      </>
    )}
  />
);

const Customer = ({ name, company, email }: Pick<Order, 'name' | 'company' | 'email'>) => (
  <span className="min-w-0" title={[name, company, email].filter(Boolean).join(', ')}>
    <span className="line" dir="auto">
      {name}
    </span>
    {company && (
      <span className="line text-micro leading-4 text-muted" dir="auto">
        {company}
      </span>
    )}
  </span>
);

interface OrderActionProps extends OrderActions {
  order: Order;
  detail: RowDetail;
}

/** The action that the order's status asks for, and a menu of the others. */
function OrderAction({ order, detail, acceptance, onCancel, onRefund }: OrderActionProps) {
  const online = useOnline();
  const canCancel = order.closed === undefined && canMove(order.status, 'cancel');
  const cancel = {
    'aria-label': `Cancel order of ${nameOrder(order)}`,
    disabled: !online,
    onClick: () => onCancel(order),
  };
  return (
    <span>
      {acceptance.isAccepted(order) && <AcceptedNote />}
      {!acceptance.isAccepted(order) && canAcceptInRow(order) && (
        <AcceptButton order={order} acceptance={acceptance} />
      )}
      {canCancel && (
        <Button kind="danger-line" size="row" {...cancel}>
          Cancel
        </Button>
      )}
      <RowMenu label={`order ${order.number}`}>
        <button type="button" aria-expanded={detail.isOpen} onClick={detail.toggle}>
          Details
        </button>
        <Link to={`/dashboard/order/${order._id}`}>Open the order</Link>
        <Link to={`/dashboard/manage-orders?customer=${encodeURIComponent(order.email)}`}>
          Orders of this customer
        </Link>
        <Link to={`/dashboard/manage-orders?part=${order.productId}`}>Orders of this part</Link>
        {/* Phones have no room for it in the row. */}
        {canCancel && (
          <button type="button" className="phone text-error" {...cancel}>
            Cancel
          </button>
        )}
        {canRefund(order) && (
          <button
            type="button"
            className="text-error"
            aria-label={`Refund order of ${nameOrder(order)}`}
            disabled={!online}
            onClick={() => onRefund(order)}
          >
            Refund
          </button>
        )}
      </RowMenu>
    </span>
  );
}

function OrderDetail({ order }: { order: Order }) {
  const { address, phone, email, transactionId, reference, partNumber } = order;
  const facts = [
    ['Deliver to', address],
    ['phone', phone],
    ['Email', email],
    ['Transaction ID', transactionId],
    ['Reference', reference],
    ['Part number', partNumber],
  ] as const;
  return <RowFacts facts={facts} />;
}

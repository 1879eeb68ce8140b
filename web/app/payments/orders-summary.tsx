import { formatAmount, formatPieces } from '@parts-forge/contract/money/money';
import { canMove } from '@parts-forge/contract/orders/order-states';
import type { Order } from '@parts-forge/contract/orders/orders';
import { Link } from 'react-router';
import { sumOrders } from '#app/orders/money/sum-orders.ts';
import { getOrderPath } from '#app/orders/order-path.ts';
import { OrderStatusChip } from '#app/orders/states/order-status-chip.tsx';
import { Thumbnail } from '#app/products/thumbnail.tsx';
import { Panel } from '#app/ui/panel.tsx';

/** More would put the card form dozens of Tabs, or screens of a phone, away. */
const MAX_OPEN = 8;

export function OrdersSummary({ orders }: { orders: readonly Order[] }) {
  const lines = (
    <ul>
      {orders.map((order) => (
        <Line key={order._id} order={order} />
      ))}
    </ul>
  );
  return (
    <Panel heading="Orders">
      {orders.length > MAX_OPEN ? (
        <details>
          <summary className="pf-link num mb-3 w-fit cursor-pointer">All {orders.length} orders</summary>
          {lines}
        </details>
      ) : (
        lines
      )}
      <p className="flex flex-wrap items-baseline justify-between gap-x-4 border-t border-base-content pt-4">
        <span className="text-muted">
          Total price{orders.every(({ withoutTax }) => withoutTax) && ' without tax'}
        </span>
        <span className="price !text-[1.75rem] !leading-9">{formatAmount(sumOrders(orders))}</span>
      </p>
      <p className="mt-4 border-t border-base-300 pt-4 text-sm text-muted">
        One payment, one transaction id. Each order keeps its own amount and status; orders placed together
        share an invoice.
      </p>
    </Panel>
  );
}

function Line({ order }: { order: Order }) {
  return (
    <li className="flex items-center gap-4 border-t border-base-300 py-3">
      <Thumbnail image={order.image} />
      <div className="min-w-0 flex-1 [overflow-wrap:anywhere]">
        <p className="text-balance font-medium leading-5">{order.productName}</p>
        <p className="num mt-0.5 text-micro text-muted">
          <Link to={getOrderPath(order)} className="pf-link inline-block py-0.5">
            Order {order.number}
          </Link>
          ,{' '}
          <span className="whitespace-nowrap">
            {formatPieces(order.quantity)} × {formatAmount(order.price)}
          </span>
        </p>
        {!canMove(order.status, 'pay') && <OrderStatusChip status={order.status} />}
      </div>
      <p className="num font-medium">{formatAmount(order.totalPrice)}</p>
    </li>
  );
}

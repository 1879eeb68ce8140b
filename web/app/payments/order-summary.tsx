import type { OrderStatus } from '@parts-forge/contract/orders/order-states';
import type { Order } from '@parts-forge/contract/orders/orders';
import { Link } from 'react-router';
import { HeldUntil } from '#app/orders/money/order-money.tsx';
import { getOrderPath } from '#app/orders/order-path.ts';
import { freeText, OrderPanel } from '#app/orders/states/order-panel.tsx';
import { OrderStatusChip } from '#app/orders/states/order-status-chip.tsx';
import { Fact } from '#app/ui/fact.tsx';

/** `status` may be newer than `order`; null for an ended order, which the other panel explains. */
export function OrderSummary({ order, status }: { order: Order; status: OrderStatus | null }) {
  return (
    <OrderPanel
      order={order}
      name={order.productName}
      below={
        <>
          {status !== null && (
            <p className="mt-1">
              <OrderStatusChip status={status} />
            </p>
          )}
          {status === 'due' && <HeldUntil order={order} />}
        </>
      }
    >
      <Fact name="Order">
        <Link to={getOrderPath(order)} className="pf-link inline-block py-0.5">
          {order.number}
        </Link>
      </Fact>
      <Fact name="Address" className={freeText}>
        {order.address}
      </Fact>
    </OrderPanel>
  );
}

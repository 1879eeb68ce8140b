import { formatAmount, formatPieces } from '@parts-forge/contract/money';
import type { OrderStatus } from '@parts-forge/contract/order-states';
import type { Order } from '@parts-forge/contract/orders';
import { HeldUntil } from '#app/orders/order-money.tsx';
import { OrderStatusChip } from '#app/orders/order-status-chip.tsx';
import { ProductPicture } from '#app/products/product-picture.tsx';

/**
 * What is being paid for. `status` is the order's as it is now, which may be newer than the order at hand; null for one
 * that has ended meanwhile, of which the other panel tells.
 */
export function OrderSummary({ order, status }: { order: Order; status: OrderStatus | null }) {
  return (
    <section className="pf-panel p-6" aria-labelledby="order-heading">
      <h2 id="order-heading" className="display mb-4 text-h4">
        Order
      </h2>
      <div className="mb-4 flex items-center gap-4">
        <span className="pf-tile size-20 shrink-0" aria-hidden="true">
          <ProductPicture image={order.image} alt="" sizes="5rem" />
        </span>
        <div className="min-w-0">
          <p className="font-semibold">{order.productName}</p>
          {status !== null && (
            <p className="mt-1">
              <OrderStatusChip status={status} />
            </p>
          )}
          {status === 'due' && <HeldUntil order={order} />}
        </div>
      </div>
      <dl className="pf-spec">
        <div>
          <dt>Quantity</dt>
          <dd>{formatPieces(order.quantity)}</dd>
        </div>
        <div>
          <dt>Price Per Unit</dt>
          <dd>{formatAmount(order.price)}</dd>
        </div>
        <div>
          <dt>Address</dt>
          <dd className="whitespace-pre-line !font-normal">{order.address}</dd>
        </div>
        <div className="!items-center">
          <dt>Total price</dt>
          <dd className="price">{formatAmount(order.totalPrice)}</dd>
        </div>
      </dl>
    </section>
  );
}

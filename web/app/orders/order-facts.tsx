import { formatAmount, formatPieces } from '@parts-forge/contract/money';
import type { Order } from '@parts-forge/contract/orders';
import { Link } from 'react-router';
import { ProductPicture } from '#app/products/product-picture.tsx';

/** What was ordered, at which price, and where it goes. */
export function OrderFacts({ order }: { order: Order }) {
  return (
    <section className="pf-panel p-6" aria-labelledby="order-heading">
      <h2 id="order-heading" className="display mb-4 text-h4">
        Order
      </h2>
      <div className="mb-4 flex items-center gap-4">
        <span className="pf-tile size-20 shrink-0" aria-hidden="true">
          <ProductPicture image={order.image} alt="" sizes="5rem" />
        </span>
        <p className="min-w-0 text-balance font-semibold [overflow-wrap:anywhere]">
          <Link to={`/products/${order.productId}`} className="hover:text-primary hover:underline">
            {order.productName}
          </Link>
        </p>
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
        {order.reference !== undefined && (
          <div>
            <dt>Your reference</dt>
            <dd className="!font-normal">{order.reference}</dd>
          </div>
        )}
        <div>
          <dt>Address</dt>
          <dd className="whitespace-pre-line !font-normal">{order.address}</dd>
        </div>
        <div>
          <dt>phone</dt>
          <dd className="!font-normal">{order.phone}</dd>
        </div>
        <div className="!items-center">
          <dt>Total price</dt>
          <dd className="price">{formatAmount(order.totalPrice)}</dd>
        </div>
      </dl>
    </section>
  );
}

import type { Order } from '@parts-forge/contract/orders';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { OrderPanel, OrderRow } from '#app/orders/order-panel.tsx';
import { productQueryOptions } from '#app/products/queries.ts';

/** The part, price and delivery address. */
export function OrderFacts({ order }: { order: Order }) {
  // Undefined for a part that is no longer sold.
  const { data: product } = useQuery(productQueryOptions(order.productId));
  return (
    <OrderPanel
      order={order}
      part={
        <>
          <p className="font-semibold">
            <Link
              to={`/products/${order.productId}`}
              className="inline-block py-0.5 hover:text-primary hover:underline"
            >
              {order.productName}
            </Link>
          </p>
          {product && <p className="num text-sm text-muted [overflow-wrap:anywhere]">{product.number}</p>}
        </>
      }
    >
      {order.reference !== undefined && (
        <OrderRow name="Your reference" isText>
          {order.reference}
        </OrderRow>
      )}
      <OrderRow name="Address" isText>
        {order.address}
      </OrderRow>
      <OrderRow name="phone" isText>
        {order.phone}
      </OrderRow>
    </OrderPanel>
  );
}

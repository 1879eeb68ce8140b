import type { Order } from '@parts-forge/contract/orders/orders';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { freeText, OrderPanel } from '#app/orders/states/order-panel.tsx';
import { productQueryOptions } from '#app/products/queries.ts';
import { Fact } from '#app/ui/fact.tsx';

/** The part, price and delivery address. */
export function OrderFacts({ order }: { order: Order }) {
  // Undefined for a part that is no longer sold.
  const { data: product } = useQuery(productQueryOptions(order.productId));
  return (
    <OrderPanel
      order={order}
      name={
        <Link
          to={`/products/${order.productId}`}
          className="inline-block py-0.5 hover:text-primary hover:underline"
        >
          {order.productName}
        </Link>
      }
      below={product && <p className="num text-sm text-muted">{product.number}</p>}
    >
      {order.reference !== undefined && (
        <Fact name="Your reference" className={freeText}>
          {order.reference}
        </Fact>
      )}
      <Fact name="Address" className={freeText}>
        {order.address}
      </Fact>
      <Fact name="phone" className={freeText}>
        {order.phone}
      </Fact>
    </OrderPanel>
  );
}

import { formatPieces } from '@parts-forge/contract/money/money';
import type { Order } from '@parts-forge/contract/orders/orders';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { OrderPanel } from '#app/orders/states/order-panel.tsx';
import { editPath, ledgerPath } from '#app/products/product-paths.ts';
import { productQueryOptions } from '#app/products/queries.ts';
import { Fact } from '#app/ui/fact.tsx';

/** The ordered part with its current stock. */
export function ClerkOrderPart({ order }: { order: Order }) {
  // Undefined for a part that is no longer sold.
  const { data: product } = useQuery(productQueryOptions(order.productId));
  return (
    <OrderPanel
      order={order}
      name={
        product ? (
          <Link className="hover:text-primary hover:underline" to={editPath(product)}>
            {order.productName}
          </Link>
        ) : (
          order.productName
        )
      }
      below={product && <p className="num text-sm text-muted">{product.number}</p>}
      foot={
        <>
          {order.reference !== undefined && <Fact name="Reference">{order.reference}</Fact>}
          {product && (
            <Fact name="In stock now">
              <Link className="pf-link" to={ledgerPath(product)}>
                {formatPieces(product.quantity)}
              </Link>
            </Fact>
          )}
        </>
      }
    />
  );
}

import { formatAmount, formatPieces } from '@parts-forge/contract/money';
import type { Order } from '@parts-forge/contract/orders';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { ProductPicture } from '#app/products/product-picture.tsx';
import { productQueryOptions } from '#app/products/queries.ts';

/** What was ordered, and how much of it is left now. */
export function ClerkOrderPart({ order }: { order: Order }) {
  const id = useId();
  // Not there for a part that is not sold any more.
  const { data: product } = useQuery(productQueryOptions(order.productId));
  return (
    <section className="pf-panel p-6" aria-labelledby={id}>
      <h2 id={id} className="display mb-4 text-h4">
        Order
      </h2>
      <div className="mb-4 flex items-center gap-4">
        <span className="pf-tile size-20 shrink-0" aria-hidden="true">
          <ProductPicture image={order.image} alt="" sizes="5rem" />
        </span>
        <div className="min-w-0 [overflow-wrap:anywhere]">
          <p className="font-semibold">{order.productName}</p>
          {product && <p className="num text-sm text-muted">{product.number}</p>}
        </div>
      </div>
      <dl className="pf-spec">
        <Row name="Quantity">{formatPieces(order.quantity)}</Row>
        <Row name="Price Per Unit">{formatAmount(order.price)}</Row>
        <div className="!items-center">
          <dt>Total price</dt>
          <dd className="price">{formatAmount(order.totalPrice)}</dd>
        </div>
        {order.reference !== undefined && <Row name="Reference">{order.reference}</Row>}
        {product && <Row name="In stock now">{formatPieces(product.quantity)}</Row>}
      </dl>
    </section>
  );
}

function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

import { formatAmount, formatPieces } from '@parts-forge/contract/money/money';
import type { Order } from '@parts-forge/contract/orders/orders';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { getPurchasePath } from '#app/orders/order-path.ts';
import { Thumbnail } from '#app/products/thumbnail.tsx';
import { Fact } from '#app/ui/fact.tsx';
import { Panel } from '#app/ui/panel.tsx';

interface OrderPanelProps {
  order: Order;
  /** The part's name, beside the picture. */
  name: ReactNode;
  /** Facts below the name. */
  below: ReactNode;
  /** Rows between the unit price and the total. */
  children?: ReactNode;
  /** Rows below the total. */
  foot?: ReactNode;
}

/** Styles a value that is no figure. */
export const freeText = '!text-start whitespace-pre-line !font-normal';

/** The ordered part, quantity and price, as every order page shows them. */
export function OrderPanel({ order, name, below, children, foot }: OrderPanelProps) {
  return (
    <Panel heading="Order">
      <div className="mb-4 flex items-center gap-4">
        <Thumbnail image={order.image} size="size-20" />
        <div className="min-w-0 text-balance [overflow-wrap:anywhere]">
          <p className="font-semibold">{name}</p>
          {below}
        </div>
      </div>
      <dl className="pf-spec">
        {order.purchase && (
          <Fact name="Purchase">
            <Link className="pf-link" to={getPurchasePath(order.purchase.number)}>
              Part {order.purchase.part} of order {order.purchase.number}
            </Link>
          </Fact>
        )}
        <Fact name="Quantity">{formatPieces(order.quantity)}</Fact>
        <Fact name="Price Per Unit">{formatAmount(order.price)}</Fact>
        {children}
        <div className="!items-center">
          <dt>Total price{order.withoutTax && ' without tax'}</dt>
          <dd className="price">{formatAmount(order.totalPrice)}</dd>
        </div>
        {foot}
      </dl>
    </Panel>
  );
}

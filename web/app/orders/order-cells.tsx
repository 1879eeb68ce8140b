import { messages } from '@parts-forge/contract/messages';
import { statusLabel } from '@parts-forge/contract/order-states';
import type { Order } from '@parts-forge/contract/orders';
import { Link } from 'react-router';
import { ProductPicture } from '#app/products/product-picture.tsx';
import { formatDay, formatShortDay } from '#app/ui/format-day.ts';
import { StatusChip } from '#app/ui/status-chip.tsx';
import { describeMoney } from './order-money.tsx';
import { getOrderPath } from './order-path.ts';

/** A choice of orders drops those that moved on. */
export const getOrderState = ({ status, closed }: Order): string => `${status} ${closed ?? ''}`;

/** On phones the link covers the row. */
export const OrderNumber = ({ order }: { order: Order }) => (
  <>
    <Link
      to={getOrderPath(order)}
      className="num font-semibold underline decoration-base-300 underline-offset-4"
    >
      {order.number}
    </Link>
    <span className="num sub">{formatDay(order.createdAt)}</span>
  </>
);

export const OrderPart = ({ order: { image, productName, reference } }: { order: Order }) => (
  <span>
    <span className="pf-tile size-8 shrink-0" aria-hidden="true">
      <ProductPicture image={image} alt="" sizes="2rem" />
    </span>
    <span>
      <span className="line" title={productName}>
        {productName}
      </span>
      {reference !== undefined && (
        <span className="sub" title={reference}>
          <bdi>{reference}</bdi>
        </span>
      )}
    </span>
  </span>
);

/** For administrators a paid order is 'Shipped' (specification §4). Below: refunds and disputes. */
export function OrderState({ order, isForAdmin = false }: { order: Order; isForAdmin?: boolean }) {
  const { status, closed } = order;
  const shown = closed ?? (isForAdmin && status === 'paid' ? messages.shipped : statusLabel(status));
  // A lost dispute is no refund.
  const isLost = closed !== undefined && order.refund?.lost !== undefined;
  const money = isLost ? 'taken back by bank' : closed === 'refunded' ? null : describeMoney(order)?.text;
  const held = order.heldUntil && `held until ${formatShortDay(order.heldUntil)}`;
  const more = money ?? (isForAdmin ? held : undefined);
  return (
    <span className="min-w-0">
      <StatusChip status={shown}>{isLost ? 'lost' : shown}</StatusChip>
      {more && (
        <span className="sub" title={more}>
          {more}
        </span>
      )}
    </span>
  );
}

import { formatAmount, formatPieces } from '@parts-forge/contract/money/money';
import type { Order } from '@parts-forge/contract/orders/orders';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useShopTimeZone } from '#app/calls/shop-config.ts';
import { describeMoney } from '#app/orders/money/order-money.tsx';
import { getOrderPath, getPurchasePath } from '#app/orders/order-path.ts';
import { RowPart } from '#app/products/row-part.tsx';
import type { WorkColumn } from '#app/rows/work-table.tsx';
import { formatDay, formatNearEnd, formatRowDay } from '#app/ui/format-day.ts';
import { StatusChip } from '#app/ui/status-chip.tsx';
import { nameState, PurchaseParts, PurchaseState } from './purchase-cells.tsx';

export interface OwnColumns {
  /** The third, at a place of its own. */
  third: Pick<WorkColumn<Order>, 'head' | 'cell' | 'right'>;
  action: WorkColumn<Order>['cell'];
  canSortByTotal: boolean;
  isForAdmin?: boolean | undefined;
  /** Of lines of a purchase, which says day, reference and parcels once: stands behind the part number. */
  describeLine?: ((order: Order) => string) | undefined;
}

/** Every list of orders has these columns. */
export const listOrderColumns = ({ third, action, canSortByTotal, isForAdmin, describeLine }: OwnColumns) =>
  [
    {
      head: 'Order',
      place: 'order',
      sorts: { down: 'newest', up: 'oldest' },
      cell: (order) => <OrderNumber order={order} isLine={describeLine !== undefined} />,
    },
    {
      head: 'Part',
      place: 'part',
      cell: (order, detail) =>
        order.purchase?.row ? (
          <PurchaseParts order={order} detail={detail} isForAdmin={isForAdmin} />
        ) : (
          <OrderPart order={order} more={describeLine ? describeLine(order) : order.reference} />
        ),
    },
    { ...third, place: 'who' },
    {
      head: 'Quantity',
      place: 'qty',
      right: true,
      cell: ({ quantity, purchase }) => formatPieces(purchase?.row?.pieces ?? quantity),
    },
    {
      head: 'Total price',
      place: 'sum',
      right: true,
      ...(canSortByTotal && { sorts: { down: '-total', up: 'total' } }),
      cell: ({ totalPrice, purchase }) => formatAmount(purchase?.row ? purchase.total : totalPrice),
    },
    {
      head: 'Status',
      place: 'state',
      cell: (order) =>
        order.purchase?.row ? (
          <PurchaseState row={order.purchase.row} isForAdmin={isForAdmin} />
        ) : (
          <OrderState order={order} isForAdmin={isForAdmin} isLine={describeLine !== undefined} />
        ),
    },
    { head: 'Action', place: 'act', cell: action },
  ] satisfies WorkColumn<Order>[];

interface RowFactsProps {
  facts: readonly (readonly [name: string, value: ReactNode])[];
}

/** Of an open row; a fact without a value is left out. */
export const RowFacts = ({ facts }: RowFactsProps) => (
  <dl>
    {facts.map(
      ([name, value]) =>
        value && (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="num">
              <bdi>{value}</bdi>
            </dd>
          </div>
        ),
    )}
  </dl>
);

/** On phones the link covers the row. The day is the filter's, in the shop's time zone. */
function OrderNumber({ order, isLine }: { order: Order; isLine: boolean }) {
  const timeZone = useShopTimeZone();
  const { createdAt, purchase } = order;
  return (
    <>
      <Link
        to={purchase?.row ? getPurchasePath(purchase.number) : getOrderPath(order)}
        className="num font-semibold underline decoration-base-300 underline-offset-4"
      >
        {purchase?.row ? purchase.number : order.number}
      </Link>
      {!isLine && (
        <span className="num sub" title={formatDay(createdAt, timeZone)}>
          {formatRowDay(createdAt, timeZone)}
        </span>
      )}
    </>
  );
}

/** Without a column for them, the pieces stand behind the number. */
function OrderPart({ order, more }: { order: Order; more: string | undefined }) {
  const { image, productName, partNumber, quantity } = order;
  return (
    <RowPart image={image}>
      <span className="line" dir="auto" title={productName}>
        {productName}
      </span>
      <span className="num sub" title={more}>
        {partNumber}
        <span className="pieces"> × {formatPieces(quantity)}</span>
        {more && ', '}
        <bdi>{more}</bdi>
      </span>
    </RowPart>
  );
}

interface OrderStateProps {
  order: Order;
  isForAdmin?: boolean | undefined;
  isLine: boolean;
}

/** For administrators a paid order is 'Shipped' (specification §4). Below: refunds, disputes, parcels. */
function OrderState({ order, isForAdmin = false, isLine }: OrderStateProps) {
  const { status, closed } = order;
  const timeZone = useShopTimeZone();
  const shown = nameState(closed ?? status, isForAdmin);
  // A lost dispute is no refund.
  const isLost = closed !== undefined && order.refund?.lost !== undefined;
  const money = isLost ? 'taken back by bank' : closed === 'refunded' ? null : describeMoney(order)?.text;
  const held = order.heldUntil && `held until ${formatNearEnd(order.heldUntil, timeZone)}`;
  const parcels = order.shipments?.map(({ carrier, number }) => `${carrier} ${number}`);
  const sent = parcels?.length === 1 ? order.shipments?.[0]?.carrier : parcels && `${parcels.length} parcels`;
  const more = money ?? (isLine ? undefined : ((isForAdmin ? held : undefined) ?? sent));
  return (
    <span className="min-w-0">
      <StatusChip status={shown}>{isLost ? 'lost' : shown}</StatusChip>
      {more && (
        <span className="sub" title={more === sent ? parcels?.join(', ') : more}>
          {more}
        </span>
      )}
    </span>
  );
}

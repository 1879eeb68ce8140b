import { hasCreditNote, hasInvoice } from '@parts-forge/contract/files/downloads';
import { formatPieces } from '@parts-forge/contract/money/money';
import { findParcelPage } from '@parts-forge/contract/orders/carriers';
import type { Order } from '@parts-forge/contract/orders/orders';
import { Link } from 'react-router';
import { useShopTimeZone } from '#app/calls/shop-config.ts';
import { useDownload } from '#app/downloads/use-download.ts';
import { type ListedOrders, OrdersTable } from '#app/orders/list/orders-table.tsx';
import { Invoice } from '#app/orders/list/purchase-papers.tsx';
import { getOrderPath, getPaymentPath } from '#app/orders/order-path.ts';
import { isPayable } from '#app/orders/states/order-conditions.ts';
import { RowMenu } from '#app/rows/row-menu.tsx';
import { Button, getButtonClasses } from '#app/ui/button.tsx';
import { CopyButton } from '#app/ui/copy-button.tsx';
import { formatNearEnd } from '#app/ui/format-day.ts';
import { useOnline } from '#app/ui/use-online.ts';
import { OrderAgainButton } from './order-again-button.tsx';

/** More stand on the order's page. */
const MAX_LINKS = 4;

interface MyOrdersTableProps extends ListedOrders {
  email: string;
  onCancel: (order: Order) => void;
}

/** Unpaid orders can be paid, alone or together, and cancelled (specification §4). */
export function MyOrdersTable({ onCancel, ...listed }: MyOrdersTableProps) {
  // The page has one filled button; with chosen orders, the bar has it.
  const isMain = listed.choice.rows.length === 0;
  return (
    <OrdersTable
      {...listed}
      kind="mine"
      caption="Your orders"
      pay={isMain ? 'primary' : 'line'}
      third={{ head: 'Transaction ID', cell: (order) => <Transaction order={order} /> }}
      action={(order) => <OrderAction order={order} isMain={isMain} onCancel={onCancel} />}
      describe={({ productName }) => productName}
    />
  );
}

interface OrderActionProps {
  order: Order;
  isMain: boolean;
  onCancel: (order: Order) => void;
}

const OrderAction = ({ order, isMain, onCancel }: OrderActionProps) => (
  <span>
    {isPayable(order) ? (
      <Pay order={order} isMain={isMain} />
    ) : (
      <>
        {hasInvoice(order) && <Invoice order={order._id} label={`Invoice of order ${order.number}`} />}
        <OrderAgainButton order={order} kind="line" size="row" />
      </>
    )}
    <OrderMenu order={order} onCancel={onCancel} />
  </span>
);

function Transaction({ order: { purchase, heldUntil, closed, ...order } }: { order: Order }) {
  const timeZone = useShopTimeZone();
  const payments = purchase?.row?.payments ?? [];
  if (payments.length > 1) {
    const ids = payments.map(({ transactionId }) => transactionId).join(', ');
    return <span className="sub" title={ids}>{`${payments.length} payments`}</span>;
  }
  const { transactionId = payments[0]?.transactionId } = order;
  if (transactionId === undefined) {
    const held = heldUntil && `held until ${formatNearEnd(heldUntil, timeZone)}`;
    return (
      <span className="sub" title={held}>
        {closed ? 'None' : (held ?? 'None yet')}
      </span>
    );
  }
  return (
    <span>
      <span className="num text-sm" title={transactionId}>
        {/* The beginning is the same in every id. */}
        <span aria-hidden="true">…{transactionId.slice(-7)}</span>
        <span className="sr-only">{transactionId}</span>
      </span>
      <CopyButton name="transaction id" text={transactionId} />
    </span>
  );
}

/** Disabled offline; the banner under the navbar tells why. */
function Pay({ order, isMain }: { order: Order; isMain: boolean }) {
  const online = useOnline();
  const label = `Pay for ${order.productName}, ${formatPieces(order.quantity)} pieces`;
  const look = isMain ? 'primary' : 'line';
  return online ? (
    <Link
      to={getPaymentPath([order])}
      className={getButtonClasses(look, 'row', 'pay px-5')}
      aria-label={label}
    >
      Pay
    </Link>
  ) : (
    <Button kind={look} size="row" className="pay px-5" aria-label={label} disabled>
      Pay
    </Button>
  );
}

function OrderMenu({ order, onCancel }: { order: Order; onCancel: (order: Order) => void }) {
  const online = useOnline();
  const { download } = useDownload();
  return (
    <RowMenu label={`order ${order.number}`}>
      <Link to={getOrderPath(order)}>Open the order</Link>
      {order.reference && (
        <Link to={`?show=all&reference=${encodeURIComponent(order.reference)}`}>
          Orders with this reference
        </Link>
      )}
      {hasCreditNote(order) && (
        <button
          type="button"
          aria-label={`Credit note of order ${order.number}`}
          onClick={() => download({ what: 'credit-note', order: order._id })}
        >
          Credit note
        </button>
      )}
      {order.shipments?.slice(0, MAX_LINKS).map((parcel) => {
        const page = findParcelPage(parcel);
        return (
          page && (
            <a key={parcel._id} href={page} rel="noreferrer">
              Follow parcel {parcel.number}
            </a>
          )
        );
      })}
      {isPayable(order) && (
        <button
          type="button"
          className="text-error"
          aria-label={`Cancel order of ${order.productName}, ${formatPieces(order.quantity)} pieces`}
          disabled={!online}
          onClick={() => onCancel(order)}
        >
          Cancel
        </button>
      )}
    </RowMenu>
  );
}

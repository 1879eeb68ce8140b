import { hasCreditNote, hasInvoice } from '@parts-forge/contract/files/downloads';
import { formatPieces } from '@parts-forge/contract/money/money';
import { findParcelPage } from '@parts-forge/contract/orders/carriers';
import type { Order } from '@parts-forge/contract/orders/orders';
import { FileText } from 'lucide';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useShopTimeZone } from '#app/calls/shop-config.ts';
import type { RowNotices } from '#app/dashboard/use-row-notices.tsx';
import { useDownload } from '#app/downloads/use-download.ts';
import { listOrderColumns } from '#app/orders/list/order-cells.tsx';
import type { OrderTableState } from '#app/orders/list/order-list.tsx';
import { getOrderPath, getPaymentPath } from '#app/orders/order-path.ts';
import { RowMenu } from '#app/rows/row-menu.tsx';
import type { Choice } from '#app/rows/use-choice.ts';
import { WorkTable } from '#app/rows/work-table.tsx';
import { Button, getButtonClasses } from '#app/ui/button.tsx';
import { CopyButton } from '#app/ui/copy-button.tsx';
import { formatNearEnd } from '#app/ui/format-day.ts';
import { Icon } from '#app/ui/icon.tsx';
import { useOnline } from '#app/ui/use-online.ts';
import { isPayable } from './chosen-for-customer.tsx';
import { OrderAgainButton } from './order-again-button.tsx';

/** More stand on the order's page. */
const MAX_LINKS = 4;

interface MyOrdersTableProps extends OrderTableState {
  orders: readonly Order[];
  choice: Choice<Order>;
  bar: ReactNode;
  onCancel: (order: Order) => void;
  notices: Pick<RowNotices<Order>, 'render'>;
}

/** Unpaid orders can be paid, alone or together, and cancelled (specification §4). */
export function MyOrdersTable({ orders, onCancel, notices, ...rest }: MyOrdersTableProps) {
  const { canSortByTotal, ...table } = rest;
  const columns = listOrderColumns({
    canSortByTotal,
    third: { head: 'Transaction ID', cell: (order) => <Transaction order={order} /> },
    action: (order) => (
      <span>
        {isPayable(order) ? (
          // The page has one filled button; with chosen orders, the bar has it.
          <Pay order={order} isMain={table.choice.rows.length === 0} />
        ) : (
          <>
            {hasInvoice(order) && <Invoice order={order} />}
            <OrderAgainButton order={order} kind="line" size="row" />
          </>
        )}
        <OrderMenu order={order} onCancel={onCancel} />
      </span>
    ),
  });
  return (
    <WorkTable
      {...table}
      kind="mine"
      caption="Your orders"
      columns={columns}
      rows={orders}
      nameRow={({ number }) => `order ${number}`}
      isEnded={({ closed }) => closed !== undefined}
      renderNotice={(order) => notices.render(order, order.productName)}
    />
  );
}

function Transaction({ order: { transactionId, heldUntil, closed } }: { order: Order }) {
  const timeZone = useShopTimeZone();
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

function Invoice({ order: { _id, number } }: { order: Order }) {
  const { download, isPreparing } = useDownload();
  return (
    <button
      type="button"
      className="btn btn-ghost btn-square size-8"
      aria-label={`Invoice of order ${number}`}
      title="Invoice"
      aria-busy={isPreparing || undefined}
      onClick={() => !isPreparing && download({ what: 'invoice', order: _id })}
    >
      <Icon of={FileText} className="size-4" />
    </button>
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

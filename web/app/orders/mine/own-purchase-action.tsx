import { formatAmount } from '@parts-forge/contract/money/money';
import type { Order } from '@parts-forge/contract/orders/orders';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import type { RowNotices } from '#app/dashboard/use-row-notices.tsx';
import { PurchasePapers } from '#app/orders/list/purchase-papers.tsx';
import { usePurchaseLines } from '#app/orders/list/use-purchase-lines.ts';
import { takePayable } from '#app/orders/money/sum-orders.ts';
import { getPaymentPath, getPurchasePath } from '#app/orders/order-path.ts';
import { CancelUnpaid } from '#app/orders/purchases/cancel-unpaid.tsx';
import { RowMenu } from '#app/rows/row-menu.tsx';
import { Button } from '#app/ui/button.tsx';
import { useOnline } from '#app/ui/use-online.ts';
import { isPayable } from './chosen-for-customer.tsx';
import { OrderAgainDialog } from './order-again-dialog.tsx';

export type OwnPurchaseActs = Omit<ReturnType<typeof useOwnPurchaseActs>, 'dialog'>;

export function useOwnPurchaseActs(email: string, notices: Pick<RowNotices<Order>, 'add'>) {
  const navigate = useNavigate();
  const { read, isReading } = usePurchaseLines(email);
  const [asked, setAsked] = useState<{ act: 'cancel' | 'again'; orders: readonly Order[] } | null>(null);
  const close = () => setAsked(null);
  return {
    isReading,
    /** One payment of what is still unpaid. */
    pay: (row: Order) => read(row, (lines) => navigate(getPaymentPath(takePayable(lines.filter(isPayable))))),
    cancel: (row: Order) =>
      read(row, (lines) => setAsked({ act: 'cancel', orders: lines.filter(isPayable) })),
    again: (row: Order) => read(row, (orders) => setAsked({ act: 'again', orders })),
    dialog: asked && (
      <>
        {asked.act === 'cancel' && (
          <CancelUnpaid
            orders={asked.orders}
            onRefused={(order, error) => notices.add(order, error, true)}
            onClose={close}
          />
        )}
        {asked.act === 'again' && <OrderAgainDialog orders={asked.orders} onClose={close} />}
      </>
    ),
  };
}

interface OwnPurchaseActionProps {
  order: Order;
  row: NonNullable<NonNullable<Order['purchase']>['row']>;
  acts: OwnPurchaseActs;
  isMain: boolean;
}

export function OwnPurchaseAction({ order, row, acts, isMain }: OwnPurchaseActionProps) {
  const online = useOnline();
  const { number, orders } = order.purchase ?? { number: order.number, orders: 1 };
  const { due = 0 } = row.states;
  const busy = { busy: acts.isReading(order), busyLabel: 'Reading…', disabled: !online };
  return (
    <span>
      {due > 0 ? (
        <Button
          kind={isMain ? 'primary' : 'line'}
          size="row"
          className="pay px-4"
          aria-label={`Pay ${due} parts of purchase ${number}, ${formatAmount(row.unpaid)}`}
          {...busy}
          onClick={() => acts.pay(order)}
        >
          <span>
            Pay<span className="max-md:hidden">{` ${due} parts`}</span>
          </span>
        </Button>
      ) : (
        <>
          <PurchasePapers purchase={order.purchase} />
          <Button
            kind="line"
            size="row"
            aria-label={`Order again: purchase ${number}, ${orders} parts`}
            {...busy}
            onClick={() => acts.again(order)}
          >
            Order again
          </Button>
        </>
      )}
      <RowMenu label={`purchase ${number}`}>
        <Link to={getPurchasePath(number)}>Open the purchase</Link>
        {order.reference && (
          <Link to={`?show=all&reference=${encodeURIComponent(order.reference)}`}>
            Orders with this reference
          </Link>
        )}
        {due > 0 && (
          <button type="button" className="text-error" disabled={!online} onClick={() => acts.cancel(order)}>
            {`Cancel ${due}`}
          </button>
        )}
      </RowMenu>
    </span>
  );
}

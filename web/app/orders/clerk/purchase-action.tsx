import type { Order } from '@parts-forge/contract/orders/orders';
import { useState } from 'react';
import { Link } from 'react-router';
import type { RowNotices } from '#app/dashboard/use-row-notices.tsx';
import { PurchasePapers } from '#app/orders/list/purchase-papers.tsx';
import { usePurchaseLines } from '#app/orders/list/use-purchase-lines.ts';
import type { RowsChoice } from '#app/orders/list/use-row-choice.ts';
import { isPayable } from '#app/orders/mine/chosen-for-customer.tsx';
import { getPurchasePath } from '#app/orders/order-path.ts';
import { AddBox } from '#app/orders/parcels/add-parcel.tsx';
import { CancelUnpaid } from '#app/orders/purchases/cancel-unpaid.tsx';
import { isInNoParcel, isPending } from '#app/orders/purchases/describe-purchase.ts';
import { RowMenu } from '#app/rows/row-menu.tsx';
import type { RowDetail } from '#app/rows/work-table.tsx';
import { Button } from '#app/ui/button.tsx';
import { useOnline } from '#app/ui/use-online.ts';
import { AcceptQuestion, isOneBox } from './chosen-for-clerk.tsx';
import { type Acceptance, isAcceptable } from './use-acceptance.tsx';

type Act = 'accept' | 'cancel' | 'parcel';
export type PurchaseActs = Omit<ReturnType<typeof usePurchaseActs>, 'dialog'>;

const takesPart: Record<Act, (order: Order) => boolean> = {
  accept: isAcceptable,
  cancel: isPayable,
  parcel: isInNoParcel,
};

/** Acts on all orders of a purchase that take part. */
export function usePurchaseActs(
  acceptance: Acceptance,
  notices: Pick<RowNotices<Order>, 'add'>,
  choice: RowsChoice,
) {
  const { read, isReading } = usePurchaseLines(null);
  const [asked, setAsked] = useState<{ act: Act; orders: Order[]; leftOut: Order[] } | null>(null);
  const close = () => setAsked(null);
  const refuse = (order: Order, error: Error) => notices.add(order, error, true);
  const { act, orders = [], leftOut = [] } = asked ?? {};
  return {
    isReading,
    ask: (row: Order, wanted: Act) =>
      read(row, (lines) => {
        const taking = lines.filter(takesPart[wanted]);
        if (wanted === 'parcel' && !isOneBox(taking)) return;
        const isLeft = (order: Order) => isPending(order) && !isAcceptable(order);
        setAsked({ act: wanted, orders: taking, leftOut: lines.filter(isLeft) });
      }),
    dialog: (
      <>
        {act === 'accept' && (
          <AcceptQuestion
            orders={orders}
            leftOut={leftOut}
            onClose={close}
            onConfirm={() => {
              close();
              acceptance.many.start(orders, choice.drop);
            }}
          />
        )}
        {act === 'cancel' && <CancelUnpaid orders={orders} onRefused={refuse} onClose={close} />}
        {act === 'parcel' && (
          <AddBox orders={orders} onRefused={refuse} onAdded={choice.drop} onClose={close} />
        )}
      </>
    ),
  };
}

interface PurchaseActionProps {
  order: Order;
  row: NonNullable<NonNullable<Order['purchase']>['row']>;
  detail: RowDetail;
  acts: PurchaseActs;
}

/** The act that most of its orders wait for; the button says how many. */
export function PurchaseAction({ order, row, detail, acts }: PurchaseActionProps) {
  const online = useOnline();
  const number = order.purchase?.number ?? order.number;
  const { pending = 0, due = 0 } = row.states;
  const named = (act: Act) => ({
    disabled: !online,
    busy: acts.isReading(order),
    busyLabel: 'Reading…',
    onClick: () => acts.ask(order, act),
  });
  return (
    <span>
      <PurchasePapers purchase={order.purchase} />
      {pending > 0 && (
        <Button
          kind="line"
          size="row"
          aria-label={`Accept ${pending} orders of purchase ${number}`}
          {...named('accept')}
        >
          {`Accept ${pending}`}
        </Button>
      )}
      {pending === 0 && due > 0 && (
        <Button
          kind="danger-line"
          size="row"
          aria-label={`Cancel ${due} orders of purchase ${number}`}
          {...named('cancel')}
        >
          {`Cancel ${due}`}
        </Button>
      )}
      {pending === 0 && due === 0 && row.toSend > 0 && (
        <Button kind="line" size="row" aria-label={`Add parcel to purchase ${number}`} {...named('parcel')}>
          Add parcel
        </Button>
      )}
      <RowMenu label={`purchase ${number}`}>
        <button type="button" aria-expanded={detail.isOpen} onClick={detail.toggle}>
          Lines
        </button>
        <Link to={getPurchasePath(number)}>Open the purchase</Link>
        <Link to={`/dashboard/manage-orders?customer=${encodeURIComponent(order.email)}`}>
          Orders of this customer
        </Link>
        {row.toSend > 0 && (
          <button type="button" disabled={!online} onClick={() => acts.ask(order, 'parcel')}>
            Add parcel
          </button>
        )}
        {due > 0 && (
          <button
            type="button"
            className="text-error"
            disabled={!online}
            onClick={() => acts.ask(order, 'cancel')}
          >
            {`Cancel ${due}`}
          </button>
        )}
      </RowMenu>
    </span>
  );
}

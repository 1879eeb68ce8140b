import { hasInvoice } from '@parts-forge/contract/files/downloads';
import { formatAmount, formatCount } from '@parts-forge/contract/money/money';
import { canMove } from '@parts-forge/contract/orders/order-states';
import type { Order } from '@parts-forge/contract/orders/orders';
import { useState } from 'react';
import { Link } from 'react-router';
import type { RowNotices } from '#app/dashboard/use-row-notices.tsx';
import { ChosenOrders, PapersButton } from '#app/orders/list/chosen-orders.tsx';
import type { useOrderList } from '#app/orders/list/use-order-list.ts';
import type { RowsChoice } from '#app/orders/list/use-row-choice.ts';
import { describeMoney } from '#app/orders/money/order-money.tsx';
import { sumOrders } from '#app/orders/money/sum-orders.ts';
import { AddBox } from '#app/orders/parcels/add-parcel.tsx';
import { takeWholeBoxes } from '#app/orders/pick-list/group-sheets.ts';
import { getSlipsPath } from '#app/orders/pick-list/pick-list-filter.ts';
import { isToSend } from '#app/orders/states/order-conditions.ts';
import { Button, getButtonClasses } from '#app/ui/button.tsx';
import { ConfirmDialog } from '#app/ui/dialog.tsx';
import { toast } from '#app/ui/toast.tsx';
import { useOnline } from '#app/ui/use-online.ts';
import { type Acceptance, isAcceptable } from './use-acceptance.tsx';

interface ChosenForClerkProps {
  choice: RowsChoice;
  orders: ReturnType<typeof useOrderList>;
  acceptance: Acceptance;
  notices: Pick<RowNotices<Order>, 'addOneOfMany'>;
}

export function ChosenForClerk({ choice, orders, acceptance: { many }, notices }: ChosenForClerkProps) {
  const toSend = choice.rows.filter((order) => hasInvoice(order) && order.closed === undefined);
  const packed = takeWholeBoxes(toSend);
  const accepting = useAcceptChosen(choice, many);
  const sending = useSendChosen(choice, notices);
  return (
    <>
      <ChosenOrders choice={choice} orders={orders} report={many.report} onClear={many.forget}>
        {accepting.button}
        {toSend.length > 0 && (
          <Link className={getButtonClasses('line')} to={getSlipsPath(packed.map(({ _id }) => _id))}>
            {packed.length < toSend.length ? `Slips of the first ${packed.length}` : 'Packing slips'}
          </Link>
        )}
        {sending.button}
        <PapersButton orders={choice.rows} as="zip" />
      </ChosenOrders>
      {accepting.dialog}
      {sending.dialog}
    </>
  );
}

function useAcceptChosen(choice: RowsChoice, many: Acceptance['many']) {
  const [isAsked, setAsked] = useState(false);
  const online = useOnline();
  const acceptable = choice.rows.filter(isAcceptable);
  const accept = () => {
    setAsked(false);
    many.start(acceptable, choice.drop);
  };
  const button = acceptable.length > 0 && (
    <Button
      kind="strong"
      className="num"
      disabled={!online}
      busy={many.isRunning}
      busyLabel="Accepting…"
      onClick={() => setAsked(true)}
    >
      {`Accept ${acceptable.length}`}
    </Button>
  );
  const dialog = isAsked && (
    <AcceptQuestion
      orders={acceptable}
      leftOut={choice.rows.filter((order) => canMove(order.status, 'accept') && !isAcceptable(order))}
      onClose={() => setAsked(false)}
      onConfirm={accept}
    />
  );
  return { button, dialog };
}

function useSendChosen(choice: RowsChoice, notices: ChosenForClerkProps['notices']) {
  const [boxed, setBoxed] = useState<readonly Order[] | null>(null);
  const online = useOnline();
  const unsent = choice.rows.filter(isToSend);
  const addParcel = () => {
    if (!refuseSeveralAddresses(unsent)) setBoxed(unsent);
  };
  const button = unsent.length > 0 && (
    <Button kind="line" disabled={!online} onClick={addParcel}>
      Add parcel
    </Button>
  );
  const dialog = boxed && (
    <AddBox
      orders={boxed}
      onRefused={notices.addOneOfMany}
      onAdded={choice.drop}
      onClose={() => setBoxed(null)}
    />
  );
  return { button, dialog };
}

/** Says why in a toast. @returns whether it refused */
export function refuseSeveralAddresses(orders: readonly Order[]): boolean {
  // A choice kept in the tab has no addresses.
  const boxes = new Set(orders.flatMap(({ email, address }) => (email ? [`${email}\n${address}`] : [])));
  if (boxes.size <= 1) return false;
  toast('error', `These orders go to ${boxes.size} addresses. Choose those of one parcel.`);
  return true;
}

interface AcceptQuestionProps {
  orders: readonly Order[];
  /** Chosen pending ones that have to be looked at. */
  leftOut: readonly Order[];
  onClose: () => void;
  onConfirm: () => void;
}

export function AcceptQuestion({ orders, leftOut, onClose, onConfirm }: AcceptQuestionProps) {
  const payments = formatCount(orders.length, 'payment');
  return (
    <ConfirmDialog
      title={`Accept ${payments}?`}
      safe="Not yet"
      confirm={`Accept ${payments}`}
      kind="primary"
      onClose={onClose}
      onConfirm={onConfirm}
    >
      <p className="num mb-2 font-medium text-base-content">
        {formatCount(orders.length, 'order')}: {orders.map(({ number }) => number).join(', ')}
      </p>
      {leftOut.length > 0 && (
        <p className="num mb-2">
          Left out: {leftOut.map((order) => `${order.number} (${describeMoney(order)?.text})`).join(', ')}
        </p>
      )}
      {formatAmount(sumOrders(orders))} in all. The shop asks the payment provider about each. Those that it
      confirms count as shipped, and their customers get a mail. Closing the page stops nothing.
    </ConfirmDialog>
  );
}

import { formatAmount, formatCount } from '@parts-forge/contract/money/money';
import type { Order, PurchaseRow } from '@parts-forge/contract/orders/orders';
import { Link } from 'react-router';
import { getPurchasePath } from '#app/orders/order-path.ts';
import { RowMenu } from '#app/rows/row-menu.tsx';
import type { RowDetail } from '#app/rows/work-table.tsx';
import { Button } from '#app/ui/button.tsx';
import { useOnline } from '#app/ui/use-online.ts';
import type { PurchaseAct, PurchaseActs } from './purchase-acts.tsx';
import { PurchasePapers } from './purchase-papers.tsx';

interface PurchaseActionProps {
  order: Order;
  row: PurchaseRow;
  detail: RowDetail;
  acts: PurchaseActs;
  /** The look of Pay; absent for administrators. */
  pay?: 'primary' | 'line';
}

/** What its orders wait for; null for nothing. */
function findAct({ states, unpaid, toSend }: PurchaseActionProps['row'], name: string, isOwn: boolean) {
  const { pending = 0, due = 0 } = states;
  if (isOwn && due > 0) {
    const label = `Pay ${formatCount(due, 'part')} of ${name}, ${formatAmount(unpaid)}`;
    return { act: 'pay', text: 'Pay', more: ` ${formatCount(due, 'part')}`, label } as const;
  }
  if (isOwn) return { act: 'again', text: 'Order again', label: `Order again: ${name}` } as const;
  if (pending > 0)
    return {
      act: 'accept',
      text: `Accept ${pending}`,
      label: `Accept ${pending} orders of ${name}`,
    } as const;
  if (due > 0)
    return { act: 'cancel', text: `Cancel ${due}`, label: `Cancel ${due} orders of ${name}` } as const;
  return toSend > 0 ? ({ act: 'parcel', text: 'Add parcel', label: `Add parcel to ${name}` } as const) : null;
}

/** The button says how many orders take part. */
export function PurchaseAction({ order, row, detail, acts, pay }: PurchaseActionProps) {
  const online = useOnline();
  const name = `purchase ${order.purchase?.number}`;
  const main = findAct(row, name, pay !== undefined);
  return (
    <span>
      {main?.act !== 'pay' && <PurchasePapers purchase={order.purchase} />}
      {main && (
        <Button
          kind={main.act === 'pay' ? (pay ?? 'line') : main.act === 'cancel' ? 'danger-line' : 'line'}
          size="row"
          className={main.act === 'pay' ? 'pay px-4' : ''}
          aria-label={main.label}
          disabled={!online}
          busy={acts.isReading(order)}
          busyLabel="Reading…"
          onClick={() => acts.ask(order, main.act)}
        >
          <span>
            {main.text}
            {main.act === 'pay' && <span className="max-md:hidden">{main.more}</span>}
          </span>
        </Button>
      )}
      <RowMenu label={name}>
        <button type="button" aria-expanded={detail.isOpen} onClick={detail.toggle}>
          Lines
        </button>
        <FurtherActs {...{ order, row, acts, main }} isOwn={pay !== undefined} />
      </RowMenu>
    </span>
  );
}

interface FurtherActsProps extends Pick<PurchaseActionProps, 'order' | 'row' | 'acts'> {
  main: ReturnType<typeof findAct>;
  isOwn: boolean;
}

function FurtherActs({ order, row, acts, main, isOwn }: FurtherActsProps) {
  const online = useOnline();
  const { email, reference, purchase } = order;
  const { due = 0 } = row.states;
  const press = (act: PurchaseAct) => ({ disabled: !online, onClick: () => acts.ask(order, act) });
  return (
    <>
      <Link to={getPurchasePath(purchase?.number ?? order.number)}>Open the purchase</Link>
      {!isOwn && (
        <Link to={`/dashboard/manage-orders?customer=${encodeURIComponent(email)}`}>
          Orders of this customer
        </Link>
      )}
      {isOwn && reference && (
        <Link to={`?show=all&reference=${encodeURIComponent(reference)}`}>Orders with this reference</Link>
      )}
      {!isOwn && row.toSend > 0 && main?.act !== 'parcel' && (
        <button type="button" {...press('parcel')}>
          Add parcel
        </button>
      )}
      {due > 0 && (
        <button type="button" className="text-error" {...press('cancel')}>
          {`Cancel ${due}`}
        </button>
      )}
    </>
  );
}

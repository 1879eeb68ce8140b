import { formatCount } from '@parts-forge/contract/money/money';
import { findHold } from '@parts-forge/contract/orders/box';
import type { Order } from '@parts-forge/contract/orders/orders';
import { FileText } from 'lucide';
import { Link } from 'react-router';
import type { RowNotices } from '#app/dashboard/use-row-notices.tsx';
import { DownloadButton } from '#app/downloads/download-button.tsx';
import { useDownload } from '#app/downloads/use-download.ts';
import { useAcceptMany } from '#app/orders/clerk/use-accept-many.ts';
import { isAcceptable } from '#app/orders/clerk/use-acceptance.tsx';
import { PayChosen } from '#app/orders/mine/chosen-for-customer.tsx';
import { getOrdersWithPapers, listPapers } from '#app/orders/money/list-papers.ts';
import { takePayable } from '#app/orders/money/sum-orders.ts';
import { groupSheets, takeWholeBoxes } from '#app/orders/pick-list/group-sheets.ts';
import { getSlipsPath } from '#app/orders/pick-list/pick-list-filter.ts';
import { isPayable, isToSend } from '#app/orders/states/order-conditions.ts';
import { RowMenu } from '#app/rows/row-menu.tsx';
import { Button, getButtonClasses } from '#app/ui/button.tsx';
import { useOnline } from '#app/ui/use-online.ts';
import { useQuestion } from '#app/ui/use-question.ts';
import { isInTotal, type PurchaseProps } from './describe-purchase.ts';
import { type AskedOfPurchase, PurchaseQuestion } from './purchase-question.tsx';

/** Asks about all lines or some; each refused order says why in its line. */
export function usePurchaseQuestion(orders: readonly Order[], notices: RowNotices<Order>) {
  const accepting = useAcceptMany({ onAccepted: () => undefined, onRefused: notices.addOneOfMany });
  const { ask, dialog } = useQuestion((asked: AskedOfPurchase, close) => (
    <PurchaseQuestion
      {...asked}
      onAccept={(accepted) => accepting.start(accepted, () => undefined)}
      onRefused={notices.addOneOfMany}
      onAdded={() => undefined}
      onClose={close}
    />
  ));
  return {
    ask: (act: AskedOfPurchase['act'], lines: readonly Order[] = orders) => ask({ act, lines }),
    isAccepting: accepting.isRunning,
    dialog,
  };
}

export type Ask = ReturnType<typeof usePurchaseQuestion>['ask'];

interface PurchasePageActsProps extends PurchaseProps {
  isAccepting: boolean;
  ask: Ask;
}

/** Acts on the whole. */
export function PurchasePageActs({ isAccepting, ...props }: PurchasePageActsProps) {
  const { orders, isForAdmin, ask } = props;
  const papers = listPapers(orders);
  return (
    <div className="flex flex-wrap items-center gap-3 max-sm:w-full">
      {papers.length > 0 && (
        <DownloadButton
          file={{ what: 'invoices', orders: getOrdersWithPapers(orders), as: 'pdf' }}
          icon={FileText}
        >
          {papers.length === 1 ? 'Invoice' : 'Papers'}
        </DownloadButton>
      )}
      {isForAdmin ? (
        <ClerkActs orders={orders} isAccepting={isAccepting} ask={ask} />
      ) : (
        <CustomerActs orders={orders} ask={ask} />
      )}
      <PurchaseMenu {...props} />
    </div>
  );
}

interface ActsProps extends Pick<PurchaseProps, 'orders'> {
  ask: Ask;
}

function ClerkActs({ orders, isAccepting, ask }: ActsProps & { isAccepting: boolean }) {
  const online = useOnline();
  const acceptable = orders.filter(isAcceptable).length;
  const [box] = groupSheets(orders.filter(isToSend));
  const slips = getSlips(orders);
  return (
    <>
      {slips && (
        <Link className={getButtonClasses('line', 'bar', 'max-sm:hidden')} to={slips}>
          Packing slip
        </Link>
      )}
      {acceptable > 0 && (
        <Button
          kind="primary"
          size="bar"
          disabled={!online}
          busy={isAccepting}
          busyLabel="Accepting…"
          onClick={() => ask('accept')}
        >
          {`Accept ${formatCount(acceptable, 'payment')}`}
        </Button>
      )}
      {/* While payments are pending the list of parcels has it, as the page has one filled button. */}
      {box && acceptable === 0 && (
        <Button kind="primary" size="bar" disabled={!online} onClick={() => ask('parcel', box)}>
          Add parcel
        </Button>
      )}
    </>
  );
}

/** Null while nothing may be sent. */
function getSlips(orders: readonly Order[]): string | null {
  const boxed = takeWholeBoxes(orders.filter((order) => findHold(order) === null));
  return boxed.length > 0 ? getSlipsPath(boxed.map(({ _id }) => _id)) : null;
}

function CustomerActs({ orders, ask }: ActsProps) {
  const online = useOnline();
  const unpaid = orders.filter(isPayable);
  const placed = orders.filter(isInTotal);
  return (
    <>
      <Button
        kind={unpaid.length > 0 ? 'line' : 'primary'}
        size="bar"
        disabled={!online}
        onClick={() => ask('again', placed.length > 0 ? placed : orders)}
      >
        Order again
      </Button>
      {unpaid.length > 0 && <PayChosen orders={takePayable(unpaid)} isRefused={false} />}
    </>
  );
}

function PurchaseMenu({ orders, isForAdmin, ask }: ActsProps & PurchaseProps) {
  const { download } = useDownload();
  const unpaid = orders.filter(isPayable).length;
  const slips = isForAdmin && getSlips(orders);
  const purchase = String(orders[0].purchase?.number);
  const whose = isForAdmin ? {} : { email: orders[0].email };
  return (
    <RowMenu label={`purchase ${purchase}`}>
      {slips && (
        <Link className="phone" to={slips}>
          Packing slip
        </Link>
      )}
      <button
        type="button"
        onClick={() => download({ what: 'orders', filters: { purchase, closed: 'any', ...whose } })}
      >
        Export CSV
      </button>
      {unpaid > 0 && (
        <button type="button" className="text-error" onClick={() => ask('cancel')}>
          {`Cancel ${unpaid} unpaid`}
        </button>
      )}
    </RowMenu>
  );
}

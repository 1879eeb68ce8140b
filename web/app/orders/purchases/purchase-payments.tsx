import { formatAmount } from '@parts-forge/contract/money/money';
import type { Order } from '@parts-forge/contract/orders/orders';
import { DownloadButton } from '#app/downloads/download-button.tsx';
import { isPayable } from '#app/orders/mine/chosen-for-customer.tsx';
import { sumOrders } from '#app/orders/money/sum-orders.ts';
import { TransactionId } from '#app/orders/money/transaction-id.tsx';
import { Fact } from '#app/ui/fact.tsx';
import { formatMoment } from '#app/ui/format-moment.ts';
import type { PurchaseProps } from './describe-purchase.ts';

/** A line for each payment, and one for what is unpaid. */
export function PurchasePayments({ orders }: PurchaseProps) {
  const unpaid = orders.filter(isPayable);
  const [until] = unpaid.flatMap(({ heldUntil }) => heldUntil ?? []).toSorted();
  const payments = Map.groupBy(
    orders.filter(({ transactionId }) => transactionId !== undefined),
    ({ transactionId }) => transactionId ?? '',
  );
  return (
    <>
      {unpaid.length > 0 && (
        <dl className="pf-panel pf-once num">
          <Fact name="To pay" className="big">
            {formatAmount(sumOrders(unpaid))}
          </Fact>
          {until !== undefined && <Fact name="Held until">{formatMoment(until)}</Fact>}
        </dl>
      )}
      {[...payments].map(([id, paid]) => (
        <dl key={id} className="pf-panel pf-once num">
          <Fact name="Paid" className="big">
            {formatAmount(sumOrders(paid))}
          </Fact>
          <Fact name="Transaction ID">
            <TransactionId id={id} />
          </Fact>
          {listInvoices(paid).map(([number, order]) => (
            <Fact key={number} name="Invoice">
              {number}{' '}
              <DownloadButton
                file={{ what: 'invoice', order: order._id }}
                size="row"
                aria-label={`PDF of invoice ${number}`}
              >
                PDF
              </DownloadButton>
            </Fact>
          ))}
        </dl>
      ))}
    </>
  );
}

/** With an order that finds it. */
const listInvoices = (orders: readonly Order[]): [number: string, order: Order][] => [
  ...new Map(
    orders.flatMap((order) =>
      (order.papers ?? []).flatMap(({ kind, number }) =>
        kind === 'invoice' ? [[number, order] as const] : [],
      ),
    ),
  ),
];

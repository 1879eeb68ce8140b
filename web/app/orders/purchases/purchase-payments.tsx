import { formatAmount } from '@parts-forge/contract/money/money';
import type { Order } from '@parts-forge/contract/orders/orders';
import { sumOrders } from '#app/orders/money/sum-orders.ts';
import { TransactionId } from '#app/orders/money/transaction-id.tsx';
import { isPayable } from '#app/orders/states/order-conditions.ts';
import { Fact } from '#app/ui/fact.tsx';
import { formatMoment } from '#app/ui/format-moment.ts';
import type { PurchaseProps } from './describe-purchase.ts';

/** A line for each payment, and one for what is unpaid. */
export function PurchasePayments({ orders }: Pick<PurchaseProps, 'orders'>) {
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
          {listInvoices(paid).map((number) => (
            <Fact key={number} name="Invoice">
              {number}
            </Fact>
          ))}
        </dl>
      ))}
    </>
  );
}

const listInvoices = (orders: readonly Order[]): string[] => [
  ...new Set(
    orders.flatMap(({ papers = [] }) =>
      papers.flatMap(({ kind, number }) => (kind === 'invoice' ? number : [])),
    ),
  ),
];

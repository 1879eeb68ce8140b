import type { OrderEvent } from '@parts-forge/contract/events/trail';
import { formatAmount } from '@parts-forge/contract/money/money';
import type { Order } from '@parts-forge/contract/orders/orders';
import { InvoiceLinks } from '#app/orders/money/order-invoices.tsx';
import { sumOrders } from '#app/orders/money/sum-orders.ts';
import { TransactionId } from '#app/orders/money/transaction-id.tsx';
import { isPayable } from '#app/orders/states/order-conditions.ts';
import { Fact } from '#app/ui/fact.tsx';
import { formatMoment } from '#app/ui/format-moment.ts';
import type { PurchaseProps } from './describe-purchase.ts';
import { usePayment } from './use-payment.ts';

interface PurchasePaymentsProps extends PurchaseProps {
  trail: readonly OrderEvent[] | null;
}

/** A line for each payment, and one for what is unpaid. */
export function PurchasePayments({ orders, ...known }: PurchasePaymentsProps) {
  const unpaid = orders.filter(isPayable);
  const [until] = unpaid.flatMap(({ heldUntil }) => heldUntil ?? []).toSorted();
  const payments = groupPayments(orders);
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
      {payments.map((paid) => (
        <Payment key={paid[0].transactionId} paid={paid} isAlone={payments.length === 1} {...known} />
      ))}
    </>
  );
}

type PaymentProps = Omit<PurchasePaymentsProps, 'orders'> & {
  paid: PurchaseProps['orders'];
  isAlone: boolean;
};

/** The progress has the time of the only payment. */
function Payment({ paid, isAlone, isForAdmin, trail }: PaymentProps) {
  const [first] = paid;
  const { card, paidAt } = usePayment(first, isForAdmin, trail);
  return (
    <dl className="pf-panel pf-once num">
      <Fact name="Paid" className="big">
        {formatAmount(sumOrders(paid))}
      </Fact>
      {card && <Fact name="Card">{card}</Fact>}
      {paidAt && !(card && isAlone) && <Fact name="Paid on">{formatMoment(paidAt)}</Fact>}
      <Fact name="Transaction ID">
        <TransactionId id={first.transactionId ?? ''} />
      </Fact>
      {paid.some(({ papers }) => papers) && (
        <Fact name="Invoice">
          <InvoiceLinks orders={paid} />
        </Fact>
      )}
    </dl>
  );
}

/** The orders of each payment. */
export const groupPayments = (orders: readonly Order[]): PurchaseProps['orders'][] =>
  [...Map.groupBy(orders, ({ transactionId }) => transactionId)].flatMap(([id, [first, ...others]]) =>
    id !== undefined && first ? [[first, ...others]] : [],
  );

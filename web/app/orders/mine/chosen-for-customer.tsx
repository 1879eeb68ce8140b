import { MAX_PAID_TOGETHER, MAX_TOTAL_CENTS } from '@parts-forge/contract/calls/bounds';
import { messages } from '@parts-forge/contract/calls/messages';
import { formatAmount, formatCount, toCents } from '@parts-forge/contract/money/money';
import type { Order } from '@parts-forge/contract/orders/orders';
import { useState } from 'react';
import { Link } from 'react-router';
import { ChosenOrders, PapersButton } from '#app/orders/list/chosen-orders.tsx';
import type { useOrderList } from '#app/orders/list/use-order-list.ts';
import type { RowsChoice } from '#app/orders/list/use-row-choice.ts';
import { sumOrders } from '#app/orders/money/sum-orders.ts';
import { getPaymentPath } from '#app/orders/order-path.ts';
import { isPayable } from '#app/orders/states/order-conditions.ts';
import { Button, getButtonClasses } from '#app/ui/button.tsx';
import { useOnline } from '#app/ui/use-online.ts';
import { OrderAgain } from './order-again.tsx';

interface ChosenForCustomerProps {
  choice: RowsChoice;
  orders: ReturnType<typeof useOrderList>;
}

/** Pays the unpaid ones together; papers of the paid ones; all of them again. */
export function ChosenForCustomer({ choice, orders }: ChosenForCustomerProps) {
  const payable = choice.rows.filter(isPayable);
  const refusal = explainTooMuch(payable);
  const [isAgain, setAgain] = useState(false);
  const online = useOnline();
  return (
    <>
      <ChosenOrders
        choice={choice}
        orders={orders}
        report={refusal && <span className="text-error">{refusal}</span>}
      >
        {payable.length > 0 && <PayChosen orders={payable} isRefused={refusal !== null} />}
        <PapersButton orders={choice.rows} as="pdf" />
        <Button kind="line" size="bar" disabled={!online} onClick={() => setAgain(true)}>
          Order again
        </Button>
      </ChosenOrders>
      {isAgain && <OrderAgain orders={choice.rows} onClose={() => setAgain(false)} />}
    </>
  );
}

function explainTooMuch(orders: readonly Order[]): string | null {
  if (toCents(sumOrders(orders)) > MAX_TOTAL_CENTS) return messages.amountTooLarge;
  return orders.length > MAX_PAID_TOGETHER ? `At most ${MAX_PAID_TOGETHER} orders are paid together` : null;
}

export function PayChosen({ orders, isRefused }: { orders: readonly Order[]; isRefused: boolean }) {
  const online = useOnline();
  const pay = (
    <span>
      Pay <span className="max-sm:sr-only">{`${formatCount(orders.length, 'order')}, `}</span>
      {formatAmount(sumOrders(orders))}
    </span>
  );
  return online && !isRefused ? (
    <Link to={getPaymentPath(orders)} className={getButtonClasses('primary', 'bar', 'num')}>
      {pay}
    </Link>
  ) : (
    <Button kind="primary" size="bar" className="num" disabled>
      {pay}
    </Button>
  );
}

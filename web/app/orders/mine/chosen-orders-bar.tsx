import { MAX_TOTAL_CENTS } from '@parts-forge/contract/bounds';
import { messages } from '@parts-forge/contract/messages';
import { formatAmount, toCents } from '@parts-forge/contract/money';
import { Link } from 'react-router';
import { getPaymentPath } from '#app/orders/order-path.ts';
import { sumOrders } from '#app/orders/sum-orders.ts';
import { Button, getButtonClasses } from '#app/ui/button.tsx';
import { focusHeading } from '#app/ui/focus-heading.ts';
import { useOnline } from '#app/ui/use-online.ts';
import type { ChosenOrders } from './use-chosen-orders.ts';

/** Pays the chosen orders together. Hidden when none is chosen. */
export function ChosenOrdersBar({ chosen: { orders, clear } }: { chosen: ChosenOrders }) {
  const online = useOnline();
  if (orders.length === 0) return null;
  const total = sumOrders(orders);
  const isTooMuch = toCents(total) > MAX_TOTAL_CENTS;
  const clearAll = () => {
    clear();
    // The button disappears, so the heading gets the focus.
    focusHeading();
  };
  const count = orders.length === 1 ? '1 order' : `${orders.length} orders`;
  const pay = `Pay ${count}, ${formatAmount(total)}`;
  return (
    <section
      aria-label="Chosen orders"
      data-chosen-bar=""
      className="sticky top-16 z-10 mb-4 flex flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded-box border border-base-content bg-base-100 py-3 pr-3 pl-5 max-lg:top-28"
    >
      <p className="num font-medium" role="status">
        {orders.length === 1 ? '1 unpaid order chosen' : `${orders.length} unpaid orders chosen`}
        {isTooMuch && <span className="block font-normal text-error text-sm">{messages.amountTooLarge}</span>}
      </p>
      <div className="flex flex-wrap gap-3 max-sm:w-full">
        <Button kind="ghost" size="bar" onClick={clearAll}>
          Clear
        </Button>
        {online && !isTooMuch ? (
          <Link
            to={getPaymentPath(orders)}
            className={getButtonClasses('primary', 'bar', 'num max-sm:flex-1')}
          >
            {pay}
          </Link>
        ) : (
          <Button kind="primary" size="bar" className="num max-sm:flex-1" disabled>
            {pay}
          </Button>
        )}
      </div>
    </section>
  );
}

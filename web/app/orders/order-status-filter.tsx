import { useId } from 'react';
import { useSearchParams } from 'react-router';
import { useSearchChange } from '#app/dashboard/use-search-text.ts';
import { readOrderFilter, SHOWN_ORDERS, type ShownOrders } from './order-filter.ts';

interface OrderStatusFilterProps {
  /** What the address calls it. */
  parameter: 'status' | 'show';
  /** How the readers of the list know a status. */
  nameStatus: (status: ShownOrders) => string;
}

/**
 * Narrows a list of orders down, in the address and without an entry in the history. "All" leaves out what was
 * cancelled, refunded or has expired: those are listed each by its own choice.
 */
export function OrderStatusFilter({ parameter, nameStatus }: OrderStatusFilterProps) {
  const id = useId();
  const [search] = useSearchParams();
  const change = useSearchChange();
  return (
    <>
      <label htmlFor={id} className="text-sm text-muted sm:ml-2">
        Status
      </label>
      <select
        id={id}
        className="select h-11 min-w-32 flex-1 bg-base-100 text-[0.9375rem] sm:w-36 sm:flex-none"
        value={readOrderFilter(search, parameter).show ?? ''}
        onChange={(event) => change(parameter, event.target.value)}
      >
        <option value="">All</option>
        {SHOWN_ORDERS.map((each) => (
          <option key={each} value={each}>
            {nameStatus(each)}
          </option>
        ))}
      </select>
    </>
  );
}

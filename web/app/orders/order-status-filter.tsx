import { useId } from 'react';
import { useSearchParams } from 'react-router';
import { useSearchChange } from '#app/dashboard/use-search-text.ts';
import { readOrderFilter, SHOWN_ORDERS, type ShownOrders } from './order-filter.ts';

interface OrderStatusFilterProps {
  /** The parameter's name in the address. */
  parameter: 'status' | 'show';
  /** Labels differ between customers and administrators. */
  nameStatus: (status: ShownOrders) => string;
}

/**
 * Kept in the address without a history entry. "All" leaves out closed orders; each closing has its own
 * option.
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

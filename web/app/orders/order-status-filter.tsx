import { useId } from 'react';
import { SHOWN_ORDERS, type ShownOrders } from './order-filter.ts';

interface OrderStatusFilterProps {
  value: ShownOrders | null;
  /** How the readers of the list know a status. */
  nameStatus: (status: ShownOrders) => string;
  /** @param value empty for all that stand */
  onChange: (value: string) => void;
}

/** Narrows a list of orders down. All are those that stand; what ended has names of its own. */
export function OrderStatusFilter({ value, nameStatus, onChange }: OrderStatusFilterProps) {
  const id = useId();
  return (
    <>
      <label htmlFor={id} className="text-sm text-muted sm:ml-2">
        Status
      </label>
      <select
        id={id}
        className="select h-11 min-w-32 flex-1 bg-base-100 text-[0.9375rem] sm:w-36 sm:flex-none"
        value={value ?? ''}
        onChange={(event) => onChange(event.target.value)}
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

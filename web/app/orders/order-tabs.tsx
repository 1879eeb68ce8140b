import { ORDER_CLOSINGS, type OrderClosing, type OrderStatus } from '@parts-forge/contract/order-states';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import type { OrderFilter, ShownOrders } from './order-filter.ts';
import { orderCountsQueryOptions } from './queries.ts';

type Counts = Record<OrderStatus | OrderClosing, number>;

interface OrderTab {
  /** In the address; empty for the first tab. */
  show: ShownOrders | '';
  name: string;
  states: readonly (keyof Counts)[];
}

interface OrderTabsProps {
  parameter: 'status' | 'show';
  tabs: readonly OrderTab[];
  filter: OrderFilter;
}

/** The status in the address. A search has no counts, as a word may match thousands. */
export function OrderTabs({ parameter, tabs, filter }: OrderTabsProps) {
  const [search] = useSearchParams();
  const { data } = useQuery({ ...orderCountsQueryOptions(filter), enabled: filter.q === '' });
  const isEnded = ORDER_CLOSINGS.some((closing) => closing === filter.show);
  return (
    <nav aria-label="Status" className="pf-tabs">
      {tabs.map(({ show, name, states }) => {
        const address = new URLSearchParams(search);
        if (show === '') address.delete(parameter);
        else address.set(parameter, show);
        const isCurrent = filter.show === show || (show === 'ended' && isEnded);
        return (
          <Link
            key={name}
            to={{ search: address.toString() }}
            replace
            preventScrollReset
            aria-current={isCurrent ? 'true' : undefined}
          >
            {name}
            {data && filter.q === '' && (
              <span className="num">
                {states.reduce((sum, state) => sum + data[state], 0).toLocaleString('en')}
              </span>
            )}
          </Link>
        );
      })}
    </nav>
  );
}

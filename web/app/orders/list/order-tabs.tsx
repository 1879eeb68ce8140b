import {
  ORDER_CLOSINGS,
  type OrderClosing,
  type OrderStatus,
} from '@parts-forge/contract/orders/order-states';
import { useQuery } from '@tanstack/react-query';
import { orderCountsQueryOptions } from '#app/orders/queries.ts';
import { Tabs } from '#app/ui/tabs.tsx';
import type { OrderFilter, ShownOrders } from './order-filter.ts';

type Counts = Record<OrderStatus | OrderClosing | 'toSend', number>;

interface OrderTab {
  /** In the address; empty for the first tab. */
  show: ShownOrders | '';
  name: string;
  states: readonly (keyof Counts)[];
  /** The count of rows: a sum of `states` would count a purchase once for each of them. */
  rows?: 'open' | 'ended' | 'all';
}

interface OrderTabsProps {
  parameter: 'status' | 'show';
  tabs: readonly OrderTab[];
  filter: OrderFilter;
}

/** The status in the address. A search has no counts, as a word may match thousands. */
export function OrderTabs({ parameter, tabs, filter }: OrderTabsProps) {
  const { data } = useQuery({ ...orderCountsQueryOptions(filter), enabled: filter.q === '' });
  const isEnded = ORDER_CLOSINGS.some((closing) => closing === filter.show);
  const counted = tabs.map(({ show, name, states, rows }) => ({
    value: show,
    name,
    count:
      data && filter.q === ''
        ? ((rows && data[rows]) ?? states.reduce((sum, state) => sum + data[state], 0))
        : undefined,
  }));
  return <Tabs label="Status" parameter={parameter} tabs={counted} now={isEnded ? 'ended' : filter.show} />;
}

import { messages } from '@parts-forge/contract/calls/messages';
import { ORDER_CLOSINGS } from '@parts-forge/contract/orders/order-states';
import type { Order } from '@parts-forge/contract/orders/orders';
import { ClipboardList } from 'lucide';
import { NoMatch } from '#app/dashboard/no-match.tsx';
import { useRowNotices } from '#app/dashboard/use-row-notices.tsx';
import { isNarrowed, type OrderFilter } from '#app/orders/list/order-filter.ts';
import { OrderList } from '#app/orders/list/order-list.tsx';
import { OrderTabs } from '#app/orders/list/order-tabs.tsx';
import { usePurchaseActs } from '#app/orders/list/purchase-acts.tsx';
import type { useOrderList } from '#app/orders/list/use-order-list.ts';
import { useRowChoice } from '#app/orders/list/use-row-choice.ts';
import { useCancelQuestion } from '#app/orders/use-cancel-question.tsx';
import { Notice } from '#app/ui/notice.tsx';
import { ChosenForClerk } from './chosen-for-clerk.tsx';
import { ManageOrdersTable } from './manage-orders-table.tsx';
import { useRefundQuestion } from './refund-dialog.tsx';
import { useAcceptance } from './use-acceptance.tsx';

/** A paid order is 'Shipped' here (specification §4). */
const clerkTabs = [
  { show: '', name: 'All', states: ['due', 'pending', 'paid'], rows: 'open' },
  { show: 'due', name: 'unpaid', states: ['due'] },
  { show: 'pending', name: 'pending', states: ['pending'] },
  { show: 'to-send', name: 'To send', states: ['toSend'] },
  { show: 'paid', name: messages.shipped, states: ['paid'] },
  { show: 'ended', name: 'ended', states: ORDER_CLOSINGS, rows: 'ended' },
] as const;

interface ClerkOrdersProps {
  orders: ReturnType<typeof useOrderList>;
  filter: OrderFilter;
}

/** Tabs, and the rows with their acts. */
export function ClerkOrders({ orders, filter }: ClerkOrdersProps) {
  const notices = useRowNotices<Order>();
  const refund = useRefundQuestion(notices.add);
  const acceptance = useAcceptance(notices, JSON.stringify({ ...filter, sort: '' }));
  const choice = useRowChoice(
    orders,
    filter.owner ? `chosen-of:${JSON.stringify(filter.owner)}` : 'chosen-to-manage',
    // An order accepted in its row is no longer pending, also once it has left the list.
    acceptance.withAccepted,
  );
  const acts = usePurchaseActs(null, notices, choice, acceptance.many);
  const cancellation = useCancelQuestion(notices.add, 'everybodys', (order) => choice.drop([order]));
  return (
    <>
      <OrderTabs parameter="status" tabs={clerkTabs} filter={filter} />
      <OrderList
        orders={orders}
        filter={filter}
        what="The orders"
        mapRows={(rows) => notices.withNotices(acceptance.withAccepted(rows))}
        empty={<NoOrders filter={filter} />}
      >
        {(rows, table) => (
          <ManageOrdersTable
            table={table}
            orders={rows}
            choice={choice}
            acts={acts}
            bar={<ChosenForClerk choice={choice} orders={orders} acceptance={acceptance} notices={notices} />}
            notices={notices}
            actions={{ acceptance, onCancel: cancellation.ask, onRefund: refund.ask }}
          />
        )}
      </OrderList>
      {acceptance.dialog}
      {acts.dialog}
      {cancellation.dialog}
      {refund.dialog}
    </>
  );
}

function NoOrders({ filter }: { filter: OrderFilter }) {
  return isNarrowed(filter) ? (
    <NoMatch icon={ClipboardList} title="No order matches" what="orders">
      Search for fewer words, or choose another status or other days.
    </NoMatch>
  ) : (
    <Notice icon={ClipboardList} title={filter.owner ? 'No open order' : 'No orders yet'}>
      New orders appear here. Accept them once they are paid.
    </Notice>
  );
}

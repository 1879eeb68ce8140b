import type { Order } from '@parts-forge/contract/orders';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Package } from 'lucide-react';
import { Link } from 'react-router';
import { PagedList } from '#app/dashboard/paged-list.tsx';
import { useRowNotices } from '#app/dashboard/use-row-notices.tsx';
import { getButtonClasses } from '#app/ui/button.tsx';
import { Notice } from '#app/ui/notice.tsx';
import { TableSkeleton } from '#app/ui/table-skeleton.tsx';
import { MyOrdersTable } from './my-orders-table.tsx';
import { customerOrdersQueryOptions } from './queries.ts';
import { useCancelQuestion } from './use-cancel-question.tsx';

/** The list of one's own orders in whichever state it is. */
export function MyOrders({ email }: { email: string }) {
  const list = useInfiniteQuery(customerOrdersQueryOptions(email));
  const notices = useRowNotices<Order>();
  const cancellation = useCancelQuestion(notices.add, 'own');
  return (
    <>
      <PagedList
        list={list}
        what="Your orders"
        safe="Your orders are safe"
        skeleton={<TableSkeleton cells={['short', 'middle', 'middle', 'long', 'long']} actions={false} />}
        mapRows={notices.withNotices}
        empty={<NoOrders />}
      >
        {(orders) => <MyOrdersTable orders={orders} onCancel={cancellation.ask} notices={notices} />}
      </PagedList>
      {cancellation.dialog}
    </>
  );
}

function NoOrders() {
  return (
    <Notice
      icon={Package}
      title="No orders yet"
      action={
        <Link to="/all-products" className={getButtonClasses('primary')}>
          See All Parts
        </Link>
      }
    >
      Orders you place appear here, with their status and transaction id.
    </Notice>
  );
}

import type { Order } from '@parts-forge/contract/orders/orders';
import type { ReactNode } from 'react';
import type { RowNotices } from '#app/dashboard/use-row-notices.tsx';
import { WorkTable } from '#app/rows/work-table.tsx';
import { listOrderColumns, type OwnColumns } from './order-cells.tsx';
import type { OrderTableState } from './order-list.tsx';
import { PurchaseAction } from './purchase-action.tsx';
import type { PurchaseActs } from './purchase-acts.tsx';
import { isEndedRow, nameRow } from './purchase-cells.tsx';
import { openPurchases } from './purchase-rows.tsx';
import type { RowsChoice } from './use-row-choice.ts';

/** The props that a page hands to its table. */
export interface ListedOrders {
  orders: readonly Order[];
  table: OrderTableState;
  choice: RowsChoice;
  /** The bar of chosen rows. */
  bar: ReactNode;
  acts: PurchaseActs;
  notices: Pick<RowNotices<Order>, 'render' | 'has'>;
}

interface OrdersTableProps extends ListedOrders {
  kind: 'orders' | 'mine';
  caption: string;
  /** The customer's; null for administrators. */
  email: string | null;
  /** The look of a purchase's Pay; absent for administrators. */
  pay?: 'primary' | 'line';
  third: OwnColumns['third'];
  /** The action of an order that is a row of its own. */
  action: OwnColumns['action'];
  renderDetail?: (order: Order) => ReactNode;
  /** Begins an order's notice. */
  describe: (order: Order) => ReactNode;
}

/** Orders and purchases as rows; a purchase opens to its orders. */
export function OrdersTable(props: OrdersTableProps) {
  const { kind, caption, orders, table, choice, bar, email, acts, pay, third, notices } = props;
  const { canSortByTotal, sort, busy } = table;
  const action: OwnColumns['action'] = (order, detail) =>
    order.purchase?.row ? (
      <PurchaseAction
        order={order}
        row={order.purchase.row}
        detail={detail}
        acts={acts}
        {...(pay && { pay })}
      />
    ) : (
      props.action(order, detail)
    );
  const row = {
    nameRow,
    isEnded: isEndedRow,
    renderDetail: (order: Order) => !order.purchase?.row && props.renderDetail?.(order),
    renderNotice: (order: Order) => !order.purchase?.row && notices.render(order, props.describe(order)),
  };
  const look = { canSortByTotal, isForAdmin: email === null, action };
  return (
    <WorkTable
      kind={kind}
      caption={caption}
      columns={listOrderColumns({ ...look, third })}
      rows={orders}
      choice={choice}
      bar={bar}
      sort={sort}
      busy={busy}
      {...row}
      {...openPurchases({ ...row, ...look, email, choice, notices })}
    />
  );
}

import type { Order } from '@parts-forge/contract/orders/orders';
import type { Executor } from '#src/platform/database/connection.ts';

type Paper = NonNullable<Order['papers']>[number];

/** A port, so that orders import no invoices. */
export interface OrderPapers {
  /** By order, oldest first; of a purchase's paper the order's line. */
  findPapers(db: Executor, orderIds: readonly string[]): Promise<ReadonlyMap<string, Paper[]>>;
  /** Ids of the orders on the paper with this number; none for other words. */
  findInvoicedOrders(db: Executor, words: readonly string[]): Promise<string[]>;
}

import { PAGE_LIMIT } from '@parts-forge/contract/calls/bounds';
import type { Given } from '@parts-forge/contract/calls/call';
import { listOrders, type Order } from '@parts-forge/contract/orders/orders';
import { callList } from '#app/calls/api-client.ts';
import type { ListPage } from '#app/calls/list-page.ts';

/** Page after page; `hasMore` once there are `most`, or a few more. */
export async function readOrders(query: Given<typeof listOrders.query>, most: number, signal?: AbortSignal) {
  const orders: Order[] = [];
  let after: string | null = null;
  do {
    const page: ListPage<Order> = await callList(listOrders, {
      query: { ...query, limit: String(PAGE_LIMIT), ...(after && { after }) },
      ...(signal && { signal }),
    });
    orders.push(...page.rows);
    after = page.nextCursor;
  } while (after !== null && orders.length < most);
  return { orders, hasMore: after !== null };
}

import type { Order } from '@parts-forge/contract/orders/orders';

type Paper = NonNullable<Order['papers']>[number];

/** Each once, with one of the orders that it is of. */
export function listPapers(orders: readonly Order[]): (Paper & { order: string })[] {
  const each = orders.flatMap(({ _id, papers = [] }) => papers.map((paper) => ({ ...paper, order: _id })));
  return [...new Map(each.map((paper) => [paper.number, paper])).values()];
}

export const getOrdersWithPapers = (orders: readonly Order[]): string[] =>
  orders.flatMap(({ _id, papers }) => (papers ? _id : []));

import { formatCount } from '@parts-forge/contract/money/money';
import type { Order } from '@parts-forge/contract/orders/orders';
import { useMutation } from '@tanstack/react-query';
import { toastError } from '#app/errors/toast-error.ts';
import { useSignedInUser } from '#app/identity/signed-in-user.ts';
import { readMatchingOrders } from '#app/orders/queries.ts';
import { useChoice } from '#app/rows/use-choice.ts';
import { toRowsQuery } from './order-filter.ts';
import { isRowOf } from './purchase-cells.tsx';
import type { useOrderList } from './use-order-list.ts';

export type RowsChoice = ReturnType<typeof useRowChoice>;

/**
 * The box of a purchase's row stands for those of its orders that match.
 * @param name of the choice in the tab's storage
 * @param mapRows changes the listed rows, as in their table
 */
export function useRowChoice(
  { list, shown: filter }: ReturnType<typeof useOrderList>,
  name: string,
  mapRows = (rows: readonly Order[]) => rows,
) {
  const { email } = useSignedInUser();
  const listed = list.data && mapRows(list.data.pages.flatMap(({ rows }) => rows));
  const choice = useChoice({
    name,
    email,
    filter: { ...filter, sort: '' },
    listed,
    hasMore: list.hasNextPage,
    isWithin: (order) => listed?.some((row) => isRowOf(row, order)) ?? false,
    // Those that moved on are dropped.
    getState: ({ status, closed }) => `${status} ${closed ?? ''}`,
    toStored: (order) => ({ ...order, name: '', email: '', address: '', phone: '' }),
  });
  const reading = useMutation({
    mutationFn: (rows: readonly Order[]) =>
      Promise.all(
        rows.map(({ purchase }) => readMatchingOrders({ ...filter, purchase: String(purchase?.number) })),
      ),
    onSuccess: (orders) => choice.add(orders.flat()),
    onError: toastError,
  });
  const countChosen = (row: Order) => choice.rows.filter((order) => isRowOf(row, order)).length;
  const has = (row: Order) => countChosen(row) >= (row.purchase?.row?.matching ?? 1);
  const add = (rows: readonly Order[]) => {
    const purchases = rows.filter(({ purchase }) => purchase?.row);
    choice.add(rows.filter((row) => !purchases.includes(row)));
    if (purchases.length > 0) reading.mutate(purchases);
  };
  const drop = (rows: readonly Order[]) =>
    choice.drop(choice.rows.filter((order) => rows.some((row) => isRowOf(row, order))));
  const isFolded = toRowsQuery(filter).rows !== undefined;
  const getRow = ({ _id, purchase }: Order) => (isFolded && purchase?.number) || _id;
  const rows = new Set(choice.rows.map(getRow)).size;
  return {
    ...choice,
    has,
    add,
    drop,
    isMixed: (row: Order) => countChosen(row) > 0 && !has(row),
    toggle: (row: Order, extend?: boolean) => choice.toggle(row, extend, { has, add, drop }),
    /** `3 orders chosen, in 2 rows`. */
    summary: describeChoice(choice.rows.length, rows),
  };
}

const describeChoice = (orders: number, rows: number): string =>
  rows < orders ? `${orders} orders chosen, in ${formatCount(rows, 'row')}` : `${orders} chosen`;

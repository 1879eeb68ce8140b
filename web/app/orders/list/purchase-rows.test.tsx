import { readOrderTrail } from '@parts-forge/contract/events/trail';
import { createDownload } from '@parts-forge/contract/files/downloads';
import { readOrderPayment } from '@parts-forge/contract/money/payments';
import { actOnOrders, cancelOrders } from '@parts-forge/contract/orders/order-bulk';
import { countOrders, listOrders, type Order, readOrder } from '@parts-forge/contract/orders/orders';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { formatRowDay } from '#app/ui/format-day.ts';
import { anOrder, aPaper, aPayment } from '#test/builders.ts';
import { startFakeShop } from '#test/fake-shop.ts';
import { openPage } from '#test/open-page.tsx';
import { openRowMenu } from '#test/row-menu.ts';

const shop = startFakeShop();

type Row = NonNullable<NonNullable<Order['purchase']>['row']>;

/** Numbers rise from 10376; `states` in turn. */
function aPurchase(states: readonly (Order['status'] | 'cancelled')[], wanted: Partial<Row> = {}) {
  const common = { batch: 'b', number: 10376, orders: states.length, total: 105_442.5 };
  const lines = states.map((state, index) =>
    anOrder({
      number: 10376 + index,
      productName: `Part ${index}`,
      status: state === 'cancelled' ? 'due' : state,
      ...(state === 'cancelled' && { closed: state }),
      ...(state !== 'due' &&
        state !== 'cancelled' && {
          transactionId: 'pi_3QhV1xKw0Lc2',
          papers: [aPaper('2026-00318')],
        }),
      batch: 'b',
      purchase: { number: 10376, part: index + 1, orders: states.length, total: 105_442.5 },
    }),
  );
  const [first] = lines as [Order];
  const count = (state: string) => states.filter((each) => each === state).length;
  const row: Row = {
    matching: states.length,
    pieces: 11_850,
    states: Object.fromEntries(states.map((state) => [state, count(state)])),
    unpaid: 18_464.5,
    toSend: count('paid'),
    names: ['Antenna flex', 'Batteries'],
    payments: count('due') === states.length ? [] : [{ transactionId: 'pi_3QhV1xKw0Lc2', order: first._id }],
    parcels: 0,
    ...wanted,
  };
  return { lines, row: { ...first, purchase: { ...common, part: 1, row } } as Order };
}

const manyStates = (count: number, ...more: Order['status'][]) => [
  ...Array<Order['status']>(count).fill('paid'),
  ...more,
];

/** Answers the list with the row, and a read of the purchase or a choice with its lines. */
async function openList(
  { row, lines }: ReturnType<typeof aPurchase>,
  path = '/dashboard/manage-orders',
  more: Order[] = [],
  total = '2',
) {
  shop.signIn(path.includes('manage') ? 'admin' : 'user');
  shop.respond(listOrders, ({ query }) =>
    Response.json(
      { data: query.has('purchase') ? lines : [row, ...more] },
      { headers: { 'x-total-count': total } },
    ),
  );
  shop.answer(readOrderPayment, aPayment());
  const paidEvent = { at: '2026-11-20T10:09:00.000Z', event: 'paid', by: { kind: 'user' } } as const;
  shop.answer(readOrderTrail, { data: [{ ...paidEvent, transactionId: 'pi_3QhV1xKw0Lc2' }] });
  const opened = await openPage(path);
  await screen.findByRole('button', { name: 'Lines of purchase 10376' });
  return opened;
}

const fold = () => screen.getByRole('button', { name: 'Lines of purchase 10376' });
const purchaseRow = () =>
  within(screen.getByRole('row', { name: /Lines of purchase 10376|^Choose purchase/ }));
const listLines = () =>
  screen
    .getAllByRole('checkbox', { name: /^Choose order/ })
    .map((box) => box.getAttribute('aria-label')?.replace('Choose order ', ''));

test('a purchase is one row with what its orders share', async () => {
  await openList(aPurchase(manyStates(38, 'pending', 'pending')));
  const row = purchaseRow();
  expect(row.getByRole('rowheader')).toHaveTextContent('10376');
  expect(row.getByText('Antenna flex, Batteries')).toBeVisible();
  for (const text of ['and 38 more', '11,850', '$105,442.50', '38 Shipped', '2 pending'])
    expect(row.getByText(text)).toBeVisible();
  expect(row.getByRole('button', { name: 'Invoice of purchase 10376' })).toBeVisible();
  expect(row.getByRole('button', { name: 'Accept 2 orders of purchase 10376' })).toHaveTextContent(
    'Accept 2',
  );
});

test('one status is a chip, and of three two are counted', async () => {
  await openList(aPurchase(['due', 'due']));
  expect(purchaseRow().getByText('unpaid')).toHaveClass('pf-status');
  expect(purchaseRow().getByRole('button', { name: 'Cancel 2 orders of purchase 10376' })).toBeVisible();
  await openList(aPurchase(['paid', 'paid', 'pending', 'cancelled']));
  expect(screen.getByText('2 others')).toHaveAttribute('title', '1 pending, 1 cancelled');
});

test('a row opens to what differs, then to the rest', async () => {
  const { user } = await openList(aPurchase(manyStates(38, 'pending', 'pending')));
  expect(fold()).toHaveAttribute('aria-expanded', 'false');
  await user.click(fold());
  await screen.findByText('33 more lines');
  expect(fold()).toHaveFocus();
  expect(listLines()).toEqual(['10414', '10415', '10376', '10377', '10378', '10379', '10380']);
  expect(screen.getByText('Deliver to').nextSibling).toHaveTextContent('12 Oxford Street');
  expect(await screen.findByText(/, Visa ending 1881$/)).toBeVisible();
  expect(screen.getByRole('button', { name: 'Invoice 2026-00318' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Open purchase 10376' })).toBeVisible();
  await user.click(screen.getByRole('button', { name: '33 more lines' }));
  expect(listLines()).toHaveLength(40);
  expect(document.activeElement?.closest('tr')).toHaveTextContent('10381');
  await user.click(fold());
  expect(screen.queryByText('Deliver to')).not.toBeInTheDocument();
});

test('an open row says day and reference once', async () => {
  const { row, lines } = aPurchase(['due', 'paid', 'pending']);
  const reference = { reference: 'PO 4711' };
  const referred = { row: { ...row, ...reference }, lines: lines.map((line) => ({ ...line, ...reference })) };
  const { user } = await openList(referred, '/dashboard/my-orders');
  await user.click(fold());
  expect(await screen.findByText('Reference')).toBeVisible();
  expect(screen.getAllByText('PO 4711', { selector: 'td *, th *' })).toHaveLength(2);
  const day = formatRowDay(String(row.createdAt), 'UTC');
  expect(screen.getAllByText(day)).toHaveLength(1);
  expect(screen.getAllByText('in no parcel')).toHaveLength(3);
});

test('lines that fail to load can be loaded again', async () => {
  const purchase = aPurchase(['due', 'due']);
  const { user } = await openList(purchase);
  shop.refuse(listOrders, 'unavailable');
  await user.click(fold());
  expect(await screen.findByRole('alert')).toHaveTextContent('The lines could not be loaded. Try again');
  shop.answer(listOrders, { data: purchase.lines });
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(listLines()).toEqual(['10376', '10377']));
});

test('another tab drops the orders of a chosen row and says so', async () => {
  const { user } = await openList(aPurchase(['pending', 'pending']));
  await user.click(screen.getByRole('checkbox', { name: 'Choose purchase 10376' }));
  await screen.findByText('2 orders chosen, in 1 row');
  await user.click(screen.getByRole('link', { name: /^pending/ }));
  expect(await screen.findByText('2 no longer shown, choice dropped')).toBeVisible();
  expect(screen.getByRole('checkbox', { name: 'Choose purchase 10376' })).not.toBeChecked();
});

test("a row's box chooses its orders, mixed when some are chosen", async () => {
  const { user } = await openList(aPurchase(['pending', 'pending']), '/dashboard/manage-orders', [
    anOrder({ number: 20000, status: 'pending' }),
  ]);
  const box = screen.getByRole('checkbox', { name: 'Choose purchase 10376' });
  await user.click(box);
  expect(await screen.findByText('2 orders chosen, in 1 row')).toBeVisible();
  expect(screen.getByRole('button', { name: '1 paper' })).toBeVisible();
  expect(box).toBeChecked();
  await user.click(screen.getByRole('checkbox', { name: 'Choose order 20000' }));
  expect(screen.getByText('3 orders chosen, in 2 rows')).toBeVisible();
  await user.click(fold());
  await user.click(await screen.findByRole('checkbox', { name: 'Choose order 10377' }));
  expect(box).toBePartiallyChecked();
  await user.click(screen.getByRole('checkbox', { name: 'Choose all 2 listed' }));
  expect(await screen.findByText('3 orders chosen, in 2 rows')).toBeVisible();
});

test('a refused order opens its row with the reason', async () => {
  const purchase = aPurchase(manyStates(9, 'pending', 'pending'));
  const { user } = await openList(purchase);
  const [refused, accepted] = purchase.lines.slice(-2) as [Order, Order];
  const error = { code: 'disputed' as const, detail: 'Its payment is disputed' };
  shop.answer(actOnOrders, {
    data: [
      { id: refused._id, ok: false, error },
      { id: accepted._id, ok: true },
    ],
  });
  await user.click(screen.getByRole('button', { name: 'Accept 2 orders of purchase 10376' }));
  await user.click(await screen.findByRole('button', { name: 'Accept 2 payments' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('Part 9');
  expect(fold()).toHaveAttribute('aria-expanded', 'true');
  expect(shop.getRequests(actOnOrders)[0]?.body).toEqual({
    act: 'accept',
    ids: [refused._id, accepted._id],
  });
  expect(screen.getAllByText('11 parts')).toHaveLength(1);
});

test('a customer cancels what is unpaid of a purchase by one request', async () => {
  const purchase = aPurchase(['paid', 'due', 'due']);
  const { user } = await openList(purchase, '/dashboard/my-orders');
  const ids = purchase.lines.slice(1).map(({ _id }) => _id);
  shop.refuse(cancelOrders, 'unavailable');
  await openRowMenu(user, /^More for purchase/);
  await user.click(screen.getByRole('button', { name: 'Cancel 2' }));
  await user.click(await screen.findByRole('button', { name: 'Cancel 2 orders' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('A part of the shop is not available');
  shop.answer(cancelOrders, { data: ids.map((id) => ({ id, ok: true })) });
  await user.click(screen.getByRole('button', { name: 'Cancel 2 orders' }));
  expect(await screen.findByText('2 of 2 orders cancelled')).toBeVisible();
  expect(shop.getRequests(cancelOrders).map(({ body }) => body)).toEqual([{ ids }, { ids }]);
});

test('an unpaid purchase is paid at once', async () => {
  const { user, getAddress } = await openList(aPurchase(['due', 'due']), '/dashboard/my-orders');
  shop.refuse(readOrder, 'not-found');
  const pay = screen.getByRole('button', { name: 'Pay 2 parts of purchase 10376, $18,464.50' });
  await user.click(pay);
  await waitFor(() => expect(getAddress()).toContain('/dashboard/payment?orders='));
});

test('two payments of a purchase have a menu of two papers', async () => {
  const payments = ['pi_111aaaa1111', 'pi_222bbbb2222'].map((transactionId, at) => ({
    transactionId,
    order: anOrder({ number: at })._id,
  }));
  const { user } = await openList(aPurchase(['paid', 'paid'], { payments }), '/dashboard/my-orders');
  expect(screen.getByText('2 payments')).toHaveAttribute('title', 'pi_111aaaa1111, pi_222bbbb2222');
  await user.click(screen.getByRole('button', { name: 'Invoices of purchase 10376' }));
  shop.answer(createDownload, { url: '/downloads/x', expiresIn: 60 });
  await user.click(screen.getByRole('button', { name: 'Invoice of payment …bbb2222' }));
  await waitFor(() =>
    expect(shop.getRequests(createDownload)[0]?.body).toEqual({ what: 'invoice', order: payments[1]?.order }),
  );
});

test('the foot counts rows, purchases, single orders and all orders', async () => {
  const states = { due: 3, pending: 4, paid: 5, toSend: 1, cancelled: 0, expired: 0, refunded: 0 };
  const counts = { ...states, open: 512, ended: 0, all: 512 };
  const purchases = { ...counts, pending: 1, open: 96 };
  shop.answer(countOrders, { ...counts, purchases, orders: { ...counts, pending: 43, open: 1204 } });
  const single = [anOrder({ number: 20000 })];
  await openList(aPurchase(['pending', 'pending']), '/dashboard/manage-orders', single, '512');
  const foot = '1 to 2 of 512: 96 purchases and 416 single orders, 1,204 orders in all';
  expect(await screen.findByText(foot)).toBeVisible();
  await openList(aPurchase(['pending', 'pending']), '/dashboard/manage-orders?status=pending', single);
  expect(await screen.findByText('4 rows: 1 purchase and 3 single orders, 43 orders in all')).toBeVisible();
  await openList(aPurchase(['pending', 'pending']), '/dashboard/manage-orders?q=flex', single, '9');
  expect(await screen.findByText('1 to 2 of 9 rows')).toBeVisible();
});

test('tabs count rows, and the orders of a part stay apart', async () => {
  const counts = { due: 3, pending: 4, paid: 5, toSend: 1, cancelled: 0, expired: 0, refunded: 0 };
  shop.answer(countOrders, { ...counts, open: 8, ended: 0, all: 8 });
  await openList(aPurchase(['due', 'due']));
  expect(await screen.findByRole('link', { name: 'All 8' })).toBeVisible();
  const part = anOrder().productId;
  await openPage(`/dashboard/manage-orders?part=${part}`);
  await waitFor(() => expect(shop.getRequests(listOrders).at(-1)?.query.get('product')).toBe(part));
  expect(shop.getRequests(listOrders).at(-1)?.query.has('rows')).toBe(false);
});

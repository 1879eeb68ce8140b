import { type Product, readProduct } from '@parts-forge/contract/products';
import { changeStock } from '@parts-forge/contract/stock';
import { readStockLedger, type StockMove } from '@parts-forge/contract/trail';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { aProduct } from '#app/dev/builders.ts';
import { startFakeShop } from '#test/fake-shop.ts';
import { openPage } from '#test/open-page.tsx';

const shop = startFakeShop();
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
const admin = { kind: 'admin' as const, name: 'Jonas Feld' };

const moves: StockMove[] = [
  {
    at: daysAgo(1),
    kind: 'order',
    change: -300,
    balance: 24_800,
    order: 'order-1',
    orderNumber: 10_418,
    by: { kind: 'user', name: 'Amara Okafor' },
  },
  { at: daysAgo(20), kind: 'restock', change: 5000, balance: 25_100, by: admin, note: 'Delivery 7' },
  { at: daysAgo(60), kind: 'correction', change: -75, balance: 20_100, by: admin },
  { at: daysAgo(300), kind: 'initial', change: 20_175, balance: 20_175, by: { kind: 'system' } },
];

async function openLedger(query = '', wanted: Partial<Product> = {}) {
  const product = aProduct({ number: 'PF-D6101', ...wanted });
  shop.signIn('admin');
  shop.answer(readProduct, { data: product });
  shop.answerPage(readStockLedger, { data: moves, held: 170 }, '4');
  const page = await openPage(`/dashboard/manage-products/${product._id}/stock${query}`);
  await screen.findByText('Movements');
  return { ...page, product };
}
const figure = (name: string | RegExp) => screen.getByText(name, { selector: 'dt' }).nextElementSibling;

test('the ledger has the movements of the period, what they come to, and how long the stock lasts', async () => {
  await openLedger();
  expect(document.title).toBe('Stock ledger · Parts Forge');
  expect(figure('In stock')).toHaveTextContent('24,800');
  expect(figure('Held, not paid yet')).toHaveTextContent('170');
  expect(shop.getRequests(readStockLedger)).toHaveLength(1);
  expect(figure('Ordered in 30 days')).toHaveTextContent('300');
  expect(figure('Lasts, at that pace')).toHaveTextContent('over a year');
  expect(figure(/^Opening/)).toHaveTextContent('20,175');
  expect(figure('Restock')).toHaveTextContent('+5,000');
  expect(figure('Correction')).toHaveTextContent('−75');
  const rows = screen.getAllByRole('row').map((row) => row.textContent);
  expect(rows).toHaveLength(5);
  expect(rows[1]).toContain('Order 10418−30024,800');
  expect(rows[2]).toContain('Jonas FeldDelivery 7+5,00025,100');
  expect(rows.at(-1)).toBe('Sum of all movements since the part was added24,800');
  expect(screen.getByRole('link', { name: 'Order 10418' })).toHaveAttribute(
    'href',
    '/dashboard/order/order-1',
  );
});

test('period and kind of movement are in the address', async () => {
  const { user, getAddress, product } = await openLedger();
  await user.click(screen.getByRole('button', { name: '1 year' }));
  expect(await screen.findByRole('row', { name: /Added/ })).toBeVisible();
  expect(screen.getByRole('button', { name: '1 year' })).toHaveAttribute('aria-pressed', 'true');
  await user.selectOptions(screen.getByLabelText('Movement'), 'Correction');
  await waitFor(() => expect(screen.getAllByRole('row')).toHaveLength(3));
  expect(getAddress()).toBe(`/dashboard/manage-products/${product._id}/stock?days=365&kind=correction`);
});

test('a period without movements says what there is', async () => {
  await openLedger('?kind=expiry');
  expect(screen.getByText('No movement of this kind in 90 days. There are 24,800 in stock.')).toBeVisible();
});

test('a thousand movements are read at most, and the page says since when', async () => {
  const product = aProduct();
  shop.signIn('admin');
  shop.answer(readProduct, { data: product });
  const [newest] = moves;
  shop.respond(readStockLedger, ({ query }) =>
    Response.json(
      {
        data: Array.from({ length: Number(query.get('limit')) }, (_, index) => ({
          ...newest,
          order: `${query.get('after')} ${index}`,
        })),
        held: 0,
      },
      { headers: { link: `</product/x/stock?after=${query.get('after')}x>; rel="next"` } },
    ),
  );
  await openPage(`/dashboard/manage-products/${product._id}/stock`);
  expect(
    await screen.findByText(/^There were more movements than are shown: the latest 1,000/),
  ).toBeVisible();
  expect(shop.getRequests(readStockLedger)).toHaveLength(10);
});

test('the pace of a busy part is that of the time which was read', async () => {
  const product = aProduct({ quantity: 50_000 });
  shop.signIn('admin');
  shop.answer(readProduct, { data: product });
  const now = Date.now();
  vi.useFakeTimers({ toFake: ['Date'], now });
  let count = 0;
  // A thousand orders of 50 in ten days.
  shop.respond(readStockLedger, ({ query }) =>
    Response.json(
      {
        data: Array.from({ length: Number(query.get('limit')) }, () => {
          count += 1;
          const at = new Date(now - count * 864_000).toISOString();
          return { ...moves[0], at, change: -50, balance: 50_000, order: `order-${count}` };
        }),
        held: 0,
      },
      { headers: { link: `</product/x/stock?after=${query.get('after')}x>; rel="next"` } },
    ),
  );
  await openPage(`/dashboard/manage-products/${product._id}/stock`);
  await screen.findByText('Movements');
  expect(figure(/^Ordered since /)).toHaveTextContent('50,000');
  expect(figure('Lasts, at that pace')).toHaveTextContent('10 days');
  const part = within(screen.getByRole('region', { name: product.name }));
  expect(part.getByText(/^There were more movements in 30 days than are read/)).toBeVisible();
});

test('pieces are added to whatever is there', async () => {
  const { user, product } = await openLedger();
  await user.click(screen.getByRole('button', { name: 'Restock' }));
  const dialog = within(screen.getByRole('dialog', { name: 'Restock' }));
  await user.type(dialog.getByLabelText('Pieces to add'), '500');
  expect(dialog.getByText('500 more: 24,800 → 25,300')).toBeVisible();
  await user.type(dialog.getByLabelText('Note'), 'Delivery 8');
  shop.answer(changeStock, { data: { ...product, quantity: 25_250 } });
  await user.click(dialog.getByRole('button', { name: 'Add 500' }));
  expect(await screen.findByText('OLED display assembly: 25,250 in stock')).toBeVisible();
  expect(shop.getSentBody(changeStock)).toEqual({ add: 500, reason: 'restock', note: 'Delivery 8' });
});

test('a count is taken over while the stock is the one that was shown', async () => {
  const { user, product } = await openLedger();
  await user.click(screen.getByRole('button', { name: 'Correct stock' }));
  vi.useFakeTimers({ toFake: ['performance'] });
  const dialog = within(screen.getByRole('dialog', { name: 'Correct the stock' }));
  const counted = dialog.getByLabelText('Counted pieces');
  expect(counted).toHaveValue(24_800);
  await user.clear(counted);
  await user.type(counted, '24725');
  expect(dialog.getByText('75 fewer: 24,800 → 24,725')).toBeVisible();
  shop.refuse(changeStock, 'stock-changed', { quantity: 24_700 });
  await user.click(dialog.getByRole('button', { name: 'Take 75 off' }));
  const confirm = await dialog.findByRole('button', { name: 'Set stock to 24,725' });
  vi.advanceTimersByTime(1000);
  await user.click(confirm);
  expect(await dialog.findByRole('alert')).toHaveTextContent('The stock changed meanwhile: 24,700 now.');
  expect(dialog.getByText('25 more: 24,700 → 24,725')).toBeVisible();
  shop.answer(changeStock, { data: { ...product, quantity: 24_725 } });
  await user.click(dialog.getByRole('button', { name: 'Add 25' }));
  expect(await screen.findByText('OLED display assembly: 24,725 in stock')).toBeVisible();
  expect(shop.getRequests(changeStock).map(({ body }) => body)).toEqual([
    { set: 24_725, was: 24_800, reason: 'correction' },
    { set: 24_725, was: 24_700, reason: 'correction' },
  ]);
});

test('a dialog takes whole numbers alone', async () => {
  const { user } = await openLedger();
  await user.click(screen.getByRole('button', { name: 'Restock' }));
  const dialog = within(screen.getByRole('dialog', { name: 'Restock' }));
  await user.click(dialog.getByRole('button', { name: 'Restock' }));
  expect(await dialog.findByText('Quantity is Required')).toBeVisible();
  await user.type(dialog.getByLabelText('Pieces to add'), '0');
  expect(await dialog.findByText('Must be at least 1')).toBeVisible();
  expect(shop.getRequests(changeStock)).toEqual([]);
});

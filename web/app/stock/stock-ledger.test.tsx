import { readStockLedger, type StockMove } from '@parts-forge/contract/events/trail';
import { type Product, readProduct } from '@parts-forge/contract/products/products';
import { changeStock } from '@parts-forge/contract/products/stock';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { aProduct } from '#test/builders.ts';
import { expectLink } from '#test/expect-link.ts';
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

test('the ledger has movements, their sums, and how long the stock lasts', async () => {
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
  expectLink('Order 10418', '/dashboard/order/order-1');
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

test('a period without movements shows the stock', async () => {
  await openLedger('?kind=expiry');
  expect(screen.getByText('No movement of this kind in 90 days. There are 24,800 in stock.')).toBeVisible();
});

/** Always has another page. @param agoMs age of a move, by its place from 1 */
async function openBusyLedger(agoMs: (place: number) => number, now = Date.now()) {
  let place = 0;
  shop.respond(readStockLedger, ({ query }) =>
    Response.json(
      {
        data: Array.from({ length: Number(query.get('limit')) }, () => {
          place += 1;
          const at = new Date(now - agoMs(place)).toISOString();
          return { ...moves[0], at, change: -50, balance: 50_000, order: `order-${place}` };
        }),
        held: 0,
      },
      { headers: { link: `</product/x/stock?after=${query.get('after')}x>; rel="next"` } },
    ),
  );
  const product = aProduct({ quantity: 50_000 });
  shop.signIn('admin');
  shop.answer(readProduct, { data: product });
  await openPage(`/dashboard/manage-products/${product._id}/stock`);
  await screen.findByText('Movements');
  return product;
}

test('the page reads at most a thousand movements and says since when', async () => {
  await openBusyLedger(() => 86_400_000);
  expect(screen.getByText(/^There were more movements than are shown: the latest 1,000/)).toBeVisible();
  expect(shop.getRequests(readStockLedger)).toHaveLength(10);
});

test("a busy part's pace covers only the time read", async () => {
  const now = Date.now();
  vi.useFakeTimers({ toFake: ['Date'], now });
  // A thousand orders of 50 in ten days.
  const product = await openBusyLedger((place) => place * 864_000, now);
  expect(figure(/^Ordered since /)).toHaveTextContent('50,000');
  expect(figure('Lasts, at that pace')).toHaveTextContent('10 days');
  const part = within(screen.getByRole('region', { name: product.name }));
  expect(part.getByText(/^There were more movements in 30 days than are read/)).toBeVisible();
});

test('added pieces go to the current stock', async () => {
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

test('Correct stock asks for the counted pieces', async () => {
  const { user } = await openLedger();
  await user.click(screen.getByRole('button', { name: 'Correct stock' }));
  expect(screen.getByLabelText('Counted pieces')).toHaveValue('24800');
});

import type { Overview } from '@parts-forge/contract/orders/overview';
import { readOverview } from '@parts-forge/contract/orders/overview';
import { readConfig } from '@parts-forge/contract/people/identity';
import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { aConfig, aProduct } from '#test/builders.ts';
import { expectLink } from '#test/expect-link.ts';
import { startFakeShop } from '#test/fake-shop.ts';
import { openPage } from '#test/open-page.tsx';

const shop = startFakeShop();

const weeks = Array.from({ length: 12 }, (_, index) => ({
  week: `2026-W${36 + index}`,
  amount: 1000 * index,
}));
const overview: Overview = {
  revenue: [
    ...weeks.slice(0, 10),
    { week: '2026-W46', amount: 33_600 },
    { week: '2026-W47', amount: 41_300 },
  ],
  orders: { due: 14, pending: 9, paid: 71, refunded: 3 },
  amounts: { due: 38_215, pending: 1, paid: 2, refunded: 3 },
  waiting: { count: 8, oldest: new Date(Date.now() - 51 * 3_600_000).toISOString() },
  lowStock: [
    aProduct({ name: 'Titanium mid frame', quantity: 40, minimumOrder: 50 }),
    aProduct({ name: 'Mainboard', quantity: 3400, minimumOrder: 50 }),
  ],
  unpaidHeld: { pieces: 812, amount: 38_215 },
  returned: [],
};

async function openOverview(answer = overview) {
  shop.signIn('admin');
  shop.answer(readOverview, answer);
  await openPage('/dashboard/overview');
  await screen.findByText('Revenue this week');
}
const figure = (name: string) => screen.getByText(name).parentElement;

test('the overview shows revenue, waiting payments, unpaid orders and low stock', async () => {
  await openOverview();
  expect(screen.getByText(/^Week 47, as of .* \(UTC\)$/)).toBeVisible();
  expect(figure('Revenue this week')).toHaveTextContent('$41,300+$7,700 on week 46');
  expect(figure('Waiting for acceptance')).toHaveTextContent('8oldest ordered 2 days ago');
  expect(figure('Unpaid orders')).toHaveTextContent('14$38,215.00 in total, holding 812 pieces');
  expect(screen.getAllByText('Low stock')[0]?.parentElement).toHaveTextContent('21 below its minimum order');
});

test('the overview names orders whose refunded money came back', async () => {
  const returned = [
    { _id: '01a1fe55-4eaf-7194-bacc-000000000001', number: 10_160, amount: 500 },
    { _id: '01a1fe55-4eaf-7194-bacc-000000000002', number: 10_161, amount: 0.1 },
  ];
  await openOverview({ ...overview, returned });
  expect(screen.getByRole('alert')).toHaveTextContent('$500.10 came back after orders were refunded.');
  expectLink('Order 10160: $500.00', '/dashboard/order/01a1fe55-4eaf-7194-bacc-000000000001');
});

test("the overview's time uses the shop's time zone", async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-25T03:30:00Z') });
  shop.answer(readConfig, { ...aConfig(), timeZone: 'America/Los_Angeles' });
  await openOverview();
  expect(await screen.findByText('Week 47, as of 24 Nov 2026, 19:30 (America/Los Angeles)')).toBeVisible();
});

test('screen readers get the chart as a table', async () => {
  await openOverview();
  const table = screen.getByRole<HTMLTableElement>('table', { name: 'Revenue by week' });
  // Firefox shows the caption of a hidden table.
  expect(table.caption).toHaveClass('sr-only');
  const rows = within(table).getAllByRole('row');
  expect(rows).toHaveLength(13);
  expect(rows.at(-1)).toHaveTextContent('Week 47$41,300.00');
});

test('each status links to its orders', async () => {
  await openOverview();
  const list = within(screen.getByRole('figure', { name: 'Orders by status' }));
  expect(list.getByText('94 orders')).toBeVisible();
  expect(list.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['unpaid', '/dashboard/manage-orders?status=due'],
    ['pending', '/dashboard/manage-orders?status=pending'],
    ['Shipped', '/dashboard/manage-orders?status=paid'],
    // One of the pending orders is disputed.
    ['8 payments to accept', '/dashboard/manage-orders?status=pending'],
  ]);
});

test('scarce parts show their remaining stock', async () => {
  await openOverview();
  const items = within(screen.getByRole('region', { name: 'Low stock' })).getAllByRole('listitem');
  expect(items.map(({ textContent }) => textContent)).toEqual([
    'Titanium mid frame40below minimum 50',
    'Mainboard3,40068 minimum orders',
  ]);
});

test('a new shop has figures', async () => {
  const none = { due: 0, pending: 0, paid: 0, refunded: 0 };
  await openOverview({
    revenue: weeks.map(({ week }) => ({ week, amount: 0 })),
    orders: none,
    amounts: none,
    waiting: { count: 0 },
    lowStock: [],
    unpaidHeld: { pieces: 0, amount: 0 },
    returned: [],
  });
  expect(figure('Revenue this week')).toHaveTextContent('$0+$0 on week 46');
  expect(figure('Waiting for acceptance')).toHaveTextContent('nothing to accept');
  expect(screen.getByText('No part runs low.')).toBeVisible();
});

test('a failed overview can be retried', async () => {
  shop.signIn('admin');
  shop.refuse(readOverview, 'internal');
  await openPage('/dashboard/overview');
  expect(await screen.findByRole('alert')).toHaveTextContent('The overview could not be loaded');
});

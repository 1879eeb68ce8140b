import { createDownload } from '@parts-forge/contract/files/downloads';
import { type LatestProof, type Month, readMonth, readProof } from '@parts-forge/contract/orders/overview';
import { readConfig } from '@parts-forge/contract/people/identity';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { aConfig } from '#test/builders.ts';
import { expectLink } from '#test/expect-link.ts';
import { startFakeShop } from '#test/fake-shop.ts';
import { openPage } from '#test/open-page.tsx';

const shop = startFakeShop();

const none = { received: 0, refunded: 0, lost: 0 };
const month: Month = {
  received: 1650.5,
  refunded: 1200,
  lost: 500,
  net: -49.5,
  tax: -8.25,
  days: [
    { day: '2026-11-10', ...none, received: 1650.5, net: 1650.5 },
    { day: '2026-11-12', ...none, refunded: 1200, lost: 500, net: -1700 },
  ],
  parts: [
    { number: 'PF-1', name: 'Display', pieces: 1000, ...none, received: 1650.5, refunded: 1200 },
    { number: 'PF-2', name: 'Battery', pieces: 0, ...none, lost: 500 },
  ],
  taxes: [
    { category: 'standard', name: 'VAT', rate: 20, net: -41.25, tax: -8.25 },
    { category: 'exempt', name: 'VAT', rate: 0, net: 0, tax: 0 },
    { category: 'exempt', name: 'GST', rate: 0, net: 0, tax: 0 },
  ],
  papers: 4,
  notElectronic: [{ fact: 'a tax rate', papers: 2 }],
  refunds: { count: 1, orders: 1 },
  disputes: { lost: 1, open: 2 },
};
const proof: LatestProof = {
  agree: true,
  provedAt: '2026-11-28T09:30:00.000Z',
  running: false,
  sums: (['orders', 'papers', 'payments', 'provider', 'stock'] as const).map((source) => ({
    source,
    received: 1650.5,
    refunded: 1700,
    pieces: 1000,
  })),
  differences: [],
};

async function openMonth({ figures = month, proved = proof, address = '?month=2026-11' } = {}) {
  shop.signIn('admin');
  shop.answer(readConfig, aConfig());
  shop.answer(readMonth, figures);
  shop.answer(readProof, proved);
  const page = await openPage(`/dashboard/overview/month${address}`);
  await screen.findByRole('region', { name: 'Proof' });
  return page;
}
const readTexts = (name: string, selector: string) =>
  [...screen.getByRole('region', { name }).querySelectorAll(selector)].map((row) => row.textContent);

test('the month shows sums, days and parts that add up', async () => {
  await openMonth();
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('November 2026');
  await screen.findByText('+$0.00 on October');
  expect([...document.querySelectorAll('.pf-block > div')].map((cell) => cell.textContent)).toEqual([
    'Received$1,650.50+$0.00 on October',
    'Refunded−$1,200.001 refund of 1 order',
    'Disputes lost−$500.001 lost, 2 open now',
    'Net−$49.50of it VAT 20 % −$8.25 on −$41.25of it VAT exempt $0.00of it GST exempt $0.00',
  ]);
  expect(readTexts('By day', 'tbody tr, tfoot tr')).toEqual([
    '10 Nov$1,650.50––$1,650.50',
    '12 Nov–−$1,200.00−$500.00−$1,700.00',
    'November$1,650.50−$1,200.00−$500.00−$49.50',
  ]);
  expect(readTexts('By part', 'tbody tr')).toEqual(['Display1,000$450.50', 'Battery0−$500.00']);
});

test('the proof says in one line that five sources agree', async () => {
  await openMonth();
  const panel = within(screen.getByRole('region', { name: 'Proof' }));
  expect(panel.getByText('All five agree')).toBeVisible();
  expect(readTexts('Proof', 'li')).toContain('Stockpieces sold less refunded1,000 pieces');
});

test('a long proof shows that it goes on, then its result', async () => {
  const waiting = { ...proof, agree: null, sums: [], provedAt: null, running: true };
  await openMonth({ proved: waiting });
  const panel = within(screen.getByRole('region', { name: 'Proof' }));
  expect(panel.getByText('Comparing… This can take a minute.')).toBeVisible();
  shop.answer(readProof, { ...proof, running: true });
  const done = 'All five agree, as of 28 Nov 2026, 09:30. Comparing again…';
  await waitFor(() => expect(screen.getByRole('region', { name: 'Proof' })).toHaveTextContent(done), {
    timeout: 10_000,
  });
});

test('a proof that fails after its answer can be asked for again', async () => {
  const waiting = { ...proof, agree: null, sums: [], provedAt: null, running: true };
  const { user } = await openMonth({ proved: waiting });
  shop.refuse(readProof, 'provider-broken');
  const retry = await screen.findByRole('button', { name: 'Try again' }, { timeout: 10_000 });
  shop.answer(readProof, proof);
  await user.click(retry);
  expect(await screen.findByText('All five agree')).toBeVisible();
});

test('the proof names source, sums and order of a difference', async () => {
  const difference = { order: 'an-id', number: 10_398, source: 'provider', what: 'refunded' } as const;
  const differences = [
    { ...difference, is: 12, wanted: 0 },
    { ...difference, number: 10_399, what: 'received' as const, is: 0, wanted: 5, month: '2026-10' },
    { order: null, number: null, source: 'provider' as const, what: 'received' as const, is: 7, wanted: 0 },
    {
      order: null,
      number: null,
      part: 'a-part',
      source: 'stock' as const,
      what: 'pieces' as const,
      is: 4,
      wanted: 9,
    },
  ];
  await openMonth({ proved: { ...proof, agree: false, differences } });
  const panel = within(screen.getByRole('region', { name: 'Proof' }));
  expect(panel.getByText('Two of five differ')).toBeVisible();
  expect(readTexts('Proof', 'ul + div > p')).toEqual([
    'Provider: $12.00 refunded instead of $0.00, order 10398.',
    'Provider: $5.00 received is dated in October there, order 10399.',
    'Provider: $7.00 received instead of $0.00, for no order of this shop.',
    'Stock: 4 pieces instead of 9, stock ledger.',
  ]);
  expectLink('order 10398', '/dashboard/order/an-id', panel);
});

test('the months before and after are links', async () => {
  const { user, getAddress } = await openMonth({ address: '?month=2026-01' });
  expect(screen.getByRole('link', { name: 'February 2026' })).toBeVisible();
  await user.click(screen.getByRole('link', { name: 'December 2025' }));
  await waitFor(() => expect(getAddress()).toBe('/dashboard/overview/month?month=2025-12'));
  // The heading is replaced while the month loads.
  await waitFor(() => expect(screen.getByRole('heading', { level: 1, name: /December 2025/ })).toBeVisible());
  expect(getAddress()).toBe('/dashboard/overview/month?month=2025-12');
});

test('an unreadable month shows the current one', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2027-02-10T12:00:00Z') });
  await openMonth({ address: '?month=2026-13' });
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('February 2027');
});

test('a button downloads the papers, which it counts', async () => {
  const { user } = await openMonth();
  shop.refuse(createDownload, 'too-many');
  await user.click(screen.getByRole('button', { name: '4 papers' }));
  await screen.findByText('Those were too many attempts in a short time.');
  expect(shop.getRequests(createDownload).map(({ body }) => body)).toEqual([
    { what: 'invoices', month: '2026-11', as: 'zip' },
  ]);
});

test('a month without papers says so', async () => {
  await openMonth({ figures: { ...month, days: [], parts: [], taxes: [], papers: 0 } });
  expect(screen.queryByRole('button', { name: /apers$/ })).not.toBeInTheDocument();
  expect(screen.getAllByText('No money moved in this month.')).toHaveLength(2);
});

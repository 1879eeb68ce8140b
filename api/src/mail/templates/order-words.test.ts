import { expect, test } from 'vitest';
import type { Config } from '#src/platform/core/config.ts';
import { type MailedOrder, orderAcceptedWords } from './order-words.ts';
import { renderHtml } from './render-html.ts';
import { renderText } from './render-text.ts';

const seller = { name: 'Parts Forge', address: [], email: null } as unknown as Config['seller'];
const shop = { name: 'Parts Forge', accent: null } as unknown as Config['shop'];
/** Mail programs cut a longer one. */
const MAX_BYTES = 100_000;

const anOrder = (at: number, changes: Partial<MailedOrder> = {}): MailedOrder => ({
  id: `id-${at}`,
  number: 10_001 + at,
  reference: null,
  productName: 'Display',
  partNumber: `PF-${at}`,
  quantity: 3,
  priceCents: 101,
  untaxedRate: 0,
  totalCents: 303,
  name: 'Amara Okafor',
  address: '12 Oxford Street',
  heldUntil: null,
  purchase: { number: 10_001, orders: 100 },
  invoices: [],
  ...changes,
});

function render(orders: MailedOrder[]) {
  const [first = anOrder(0), ...others] = orders;
  const words = orderAcceptedWords([first, ...others], 'https://shop.example');
  return { words, text: renderText(words, seller), html: renderHtml(words, { seller, shop }, null) };
}

test.each([
  ['letters', 'W'.repeat(200)],
  ['marks of HTML', `<img src=x onerror="alert(1)">${'"'.repeat(200)}`],
  ['signs beyond the first plane', '\u{1f4f1}'.repeat(200)],
])('100 lines with 200 %s each stay below 100 kB', (_, productName) => {
  const { text, html } = render(Array.from({ length: 100 }, (_each, at) => anOrder(at, { productName })));
  expect(Buffer.byteLength(html)).toBeLessThan(MAX_BYTES);
  expect(html).not.toContain('<img src=x');
  expect(text.match(/^Order \d+, PF-\d+, .+…: 3 × \$1\.01 = \$3\.03$/gm)).toHaveLength(100);
  expect(text).toContain('\nTotal price: $303.00\n');
});

test('a mail of more orders says how many it leaves out', () => {
  const orders = Array.from({ length: 500 }, (_, at) =>
    anOrder(at, { purchase: null, reference: `PO ${at}`, address: `${at} Oxford Street` }),
  );
  const { words, text } = render(orders);
  expect(words.subject).toBe('Your orders are accepted (orders 10001, 10002, 10003, 10004 and 496 more)');
  expect(text.match(/^Order \d+, /gm)).toHaveLength(100);
  expect(text).toContain('\nNot listed here: 400 more\nTotal price: $1,515.00\n');
  expect(text.match(/^(?:Your reference|Deliver to): /gm)).toHaveLength(20);
});

test('orders of two purchases are named one by one', () => {
  const { words } = render([anOrder(0), anOrder(1, { purchase: { number: 10_002, orders: 9 } })]);
  expect(words.subject).toBe('Your orders are accepted (orders 10001, 10002)');
});

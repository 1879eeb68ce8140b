import { formatSigned, toCents } from '@parts-forge/contract/money/money';
import type { Order } from '@parts-forge/contract/orders/orders';
import type { Month } from '@parts-forge/contract/orders/overview';
import { beginDay, nextMonth } from '@parts-forge/contract/text/days';
import fc from 'fast-check';
import { unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { proveMonth } from '#src/consistency/prove-month.ts';
import { findInvoice, findLine, findNotes } from '#src/invoices/store.ts';
import { refreshMoney } from '#src/payments/refunds/refresh-money.ts';
import { signedInAs } from '#test/builders.ts';
import { downloadFile, readPdf } from '#test/downloads.ts';
import { atFullSize } from '#test/full-size.ts';
import { controlSandbox, readSandbox, refundAtProvider } from '#test/paying.ts';
import { aPurchase, dueOrders, pendingTogether } from '#test/paying-several.ts';
import { loseEvents } from '#test/payment-provider.ts';
import type { TestShop } from '#test/start-shop.ts';
import { startForTest } from '#test/use-shop.ts';
import { readMonth } from './read-month.ts';

const months = ['2026-11', '2026-12', '2027-01'];
const STEPS_EACH = 3;

/** At both sides of the ends of month and year, in the shop's zone and in UTC. */
const listMoments = (zone: string): number[] =>
  months
    .slice(1)
    .flatMap((month) => [beginDay(`${month}-01`, zone).getTime(), Date.parse(`${month}-01`)])
    .flatMap((end) => [end - 1, end, end + 1, end + 5 * 24 * 3_600_000])
    .toSorted((a, b) => a - b);

/** `which` selects among the payments and their orders. */
const step = fc.record({
  does: fc.constantFrom(
    ...(['pay', 'refund pieces', 'refund an amount', 'refund the rest', 'accept'] as const),
    ...(['refund at the provider', 'refund all at the provider', 'end a refund'] as const),
    ...(['dispute', 'dispute', 'fail a refund late'] as const),
  ),
  which: fc.nat(1000),
  pieces: fc.integer({ min: 1, max: 30 }),
  cents: fc.integer({ min: 1, max: 6000 }),
  isReturned: fc.boolean(),
  /** Of refunds that begin in this step, or of the one that it ends. */
  outcome: fc.constantFrom('succeeded', 'succeeded', 'pending', 'failed'),
  status: fc.constantFrom('needs_response', 'under_review', 'won', 'lost', 'lost', 'appeal_under_review'),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

interface Paid {
  id: string;
  orders: Order[];
}
const pick = <T>(items: readonly T[], which: number): T | undefined => items[which % items.length];
const sumCents = <T>(items: readonly T[], read: (item: T) => number): number =>
  items.reduce((sum, item) => sum + read(item), 0);

/** Refusals are part of it: a refund above the rest, one of a disputed payment. */
async function take(shop: TestShop, payments: Paid[], step: Step): Promise<void> {
  const { does, which, pieces: quantity, cents, isReturned: returnStock, outcome } = step;
  const payment = pick(payments, which);
  const order = payment && pick(payment.orders, which >> 4);
  await controlSandbox(shop, { newRefunds: outcome });
  if (does === 'pay' || !payment || !order) {
    payments.push(await pendingTogether(shop, 1 + (which % 3), which % 8 < 4 ? aPurchase : dueOrders));
    return;
  }
  const admin = await signedInAs(shop, 'admin');
  const refund = async (body: object) =>
    expect((await admin.refunds(order, { returnStock: false, ...body })).status).toBeLessThan(500);
  const end = async (from: string, status: string) => {
    const { refunds } = await readSandbox(shop);
    const found = pick<{ id: string }>(
      refunds.filter((each: { status: string }) => each.status === from),
      which,
    );
    if (found) await controlSandbox(shop, { finishRefund: { refund: found.id, status } });
  };
  switch (does) {
    case 'refund pieces':
      return refund({ quantity, returnStock });
    case 'refund an amount':
      return refund({ amount: cents / 100 });
    case 'refund the rest':
      return refund({ returnStock });
    case 'accept':
      return void (await admin.accepts(order));
    case 'refund at the provider':
      return void (await refundAtProvider(shop, payment.id, cents).catch(() => null));
    case 'refund all at the provider':
      return void (await refundAtProvider(shop, payment.id).catch(() => null));
    case 'end a refund':
      return end('pending', outcome === 'failed' ? 'failed' : 'succeeded');
    case 'fail a refund late':
      return end('succeeded', 'failed');
    case 'dispute':
      return controlSandbox(shop, { dispute: { intent: payment.id, status: step.status } });
  }
}

/** The shop looks at each payment. @returns the provider's cents; null while a dispute is open */
async function look({ services }: TestShop, payments: readonly Paid[]): Promise<number | null> {
  let cents = 0;
  let isOpen = false;
  for (const { id } of payments) {
    const payment = await services.payments.findPayment(id);
    if (!payment) throw new Error('The payment is unknown.');
    await refreshMoney(services, payment, { asksForDisputes: true });
    const disputes = await services.payments.listDisputes(id);
    const refunds = await services.payments.listRefunds(id);
    const gone = [
      ...refunds.filter(({ state }) => state === 'succeeded'),
      ...disputes.filter(({ state }) => state === 'lost'),
    ];
    cents += payment.receivedCents - sumCents(gone, ({ amountCents }) => amountCents);
    isOpen ||= disputes.some(({ state }) => state === 'open');
  }
  return isOpen ? null : cents;
}

function expectSums(month: Month): void {
  for (const key of ['received', 'refunded', 'lost'] as const) {
    const whole = toCents(month[key]);
    expect(sumCents(month.days, (day) => toCents(day[key]))).toBe(whole);
    expect(sumCents(month.parts, (part) => toCents(part[key]))).toBe(whole);
  }
  expect(sumCents(month.taxes, ({ tax }) => toCents(tax))).toBe(toCents(month.tax));
}

async function expectTaxes({ services }: TestShop, { orders }: Paid): Promise<void> {
  const { db } = services.database;
  for (const { _id } of orders) {
    const invoice = await findInvoice(db, _id);
    const notes = await findNotes(db, _id);
    const sum = (key: 'totalCents' | 'taxCents') =>
      sumCents(notes, (note) => (note.series === 'credit-note' ? note[key] : -note[key]));
    if (!invoice) throw new Error('The invoice is missing.');
    const { amountCents, taxCents = invoice.taxCents } = findLine(invoice, _id);
    expect(sumCents(invoice.lines, (line) => line.amountCents)).toBe(invoice.totalCents);
    expect(sumCents(invoice.lines, (line) => line.taxCents ?? 0)).toBe(invoice.taxCents);
    expect(sum('taxCents')).toBeGreaterThanOrEqual(0);
    expect(sum('taxCents')).toBeLessThanOrEqual(taxCents);
    if (sum('totalCents') >= amountCents) expect(sum('taxCents')).toBe(taxCents);
  }
}

/** Papers in files alone: each once in CSV and ZIP, with the same sum, and no number is missing. */
async function expectFiles(shop: TestShop): Promise<void> {
  const admin = await signedInAs(shop, 'admin');
  const sequences = new Map<string, number[]>();
  for (const name of months) {
    const month = await readMonth(shop.services, name);
    if (month.papers === 0) continue;
    const csv = await downloadFile(shop, admin, { what: 'month', month: name });
    const [heads = [], ...lines] = String(csv.bytes.subarray(3))
      .trim()
      .split('\r\n')
      .map((line) => line.split(','));
    const read = (head: string) => lines.map((line) => line[heads.indexOf(head)] ?? '');
    const [amounts, taxes, numbers] = [read('Amount (USD)'), read('Tax (USD)'), read('Paper')];
    expect(sumCents(amounts, (amount) => toCents(Number(amount)))).toBe(toCents(month.net));
    expect(sumCents(taxes, (tax) => toCents(Number(tax)))).toBe(toCents(month.tax));
    const zip = await downloadFile(shop, admin, { what: 'invoices', month: name, as: 'zip' });
    const files = unzipSync(zip.bytes);
    expect(Object.keys(files).toSorted()).toEqual(numbers.map((number) => `${number}.pdf`).toSorted());
    for (const [index, number] of numbers.entries()) {
      const { pages } = await readPdf(Buffer.from(files[`${number}.pdf`] ?? []));
      expect(pages.join('\n')).toContain(`Total ${formatSigned(Number(amounts[index]))}\n`);
      const [series, sequence] = [number.slice(0, -5), Number(number.slice(-5))];
      sequences.set(series, [...(sequences.get(series) ?? []), sequence]);
    }
  }
  for (const issued of sequences.values()) {
    expect(issued.toSorted((a, b) => a - b)).toEqual(issued.map((_, index) => index + 1));
  }
}

const zones: [string, number][] = [
  ['Pacific/Auckland', 2],
  ['America/St_Johns', 3],
  ['America/St_Johns', 4],
];

test.each(atFullSize(zones, zones.slice(0, 2)))(
  'random months in %s agree with the provider (%i)',
  async (zone, seed) => {
    let nowMs = 0;
    const shop = await startForTest({
      clock: { now: () => new Date(nowMs) },
      env: { SELLER_TAX_RATE: '19', SHOP_TIME_ZONE: zone, PAYMENT_HOURS: '720' },
    });
    const moments = listMoments(zone);
    const steps = fc.sample(step, { seed, numRuns: moments.length * STEPS_EACH });
    const payments: Paid[] = [];
    const ended = new Map<string, Month>();
    nowMs = moments[0] ?? 0;
    await loseEvents(shop);
    for (const [index, moment] of moments.entries()) {
      nowMs = moment;
      for (const each of steps.slice(STEPS_EACH * index, STEPS_EACH * (index + 1)))
        await take(shop, payments, each);
      const providerCents = await look(shop, payments);
      let netCents = 0;
      for (const name of months) {
        const month = await readMonth(shop.services, name);
        netCents += toCents(month.net);
        expectSums(month);
        const { disputes, ...papers } = month;
        expect(ended.get(name) ?? papers).toEqual(papers);
        if (beginDay(nextMonth(name), zone).getTime() <= nowMs) ended.set(name, papers as Month);
        const { agree, sums, differences } = await proveMonth(shop.services, name);
        expect({ agree, sources: sums.length, differences: agree ? [] : differences }).toEqual({
          agree: true,
          sources: 5,
          differences: [],
        });
      }
      expect(netCents).toBe(providerCents ?? netCents);
      for (const payment of payments) await expectTaxes(shop, payment);
    }
    await expectFiles(shop);
  },
);

import { formatNumber } from '@parts-forge/contract/money/papers';
import { beforeAll, expect, test } from 'vitest';
import { ensureInstance, markRestored } from '#src/platform/database/instance.ts';
import { type LastNumbers, readTakeOver, takeOverShop } from '#src/process/take-over.ts';
import { aPendingOrder } from '#test/paid-orders.ts';
import { useShop } from '#test/use-shop.ts';
import { continueNumbers, findLastNumber } from './continue-numbers.ts';
import { findInvoice } from './store.ts';

const now = new Date();
const year = now.getUTCFullYear();
const shop = useShop();
beforeAll(async () => {
  await shop.db.transaction((tx) => continueNumbers(tx, { series: 'invoice', year, sequence: 40 }, now));
});

const takeOver = (numbers: LastNumbers) => takeOverShop(shop.services.database, numbers, now);
const readCopiedAt = async () => (await ensureInstance(shop.db)).copiedAt;

test('a shop that is no copy needs no numbers', async () => {
  expect(await takeOver({})).toContain('There is nothing to take over');
});

test("a copy requires the original's last numbers and continues after them", async () => {
  await markRestored(shop.db, now);
  const none = { 'credit-note': 'none', 'debit-note': 'none' };
  await expect(takeOver(none)).rejects.toThrow(
    `--last-invoice=2026-00123, or --last-invoice=none. The last invoice of the backup is ${year}-00040;`,
  );
  await expect(takeOver({ ...none, invoice: 'none' })).rejects.toThrow('cannot be the last one');
  await expect(takeOver({ ...none, invoice: `${year}-00039` })).rejects.toThrow('cannot be the last one');
  for (const invoice of ['41', `${year}-41`, `CN-${year}-00041`, `${year}-00000`]) {
    await expect(takeOver({ ...none, invoice })).rejects.toThrow('does not name the last invoice');
  }
  await expect(takeOver({ invoice: `${year}-00057` })).rejects.toThrow('The backup has no credit note');
  await expect(takeOver({ 'credit-note': 'none', invoice: `${year}-00057` })).rejects.toThrow(
    'The backup has no debit note',
  );
  expect(await readCopiedAt()).not.toBeNull();

  expect(await takeOver({ ...none, invoice: `${year}-00057` })).toContain('has taken the place');
  expect(await readCopiedAt()).toBeNull();
  expect(await findLastNumber(shop.db, 'credit-note')).toBeNull();
  const { order } = await aPendingOrder(shop);
  const invoice = await findInvoice(shop.db, order._id);
  expect(invoice && formatNumber(invoice)).toBe(`${year}-00058`);
});

test('npm start accepts --take-over and the numbers', () => {
  expect(readTakeOver([])).toBeNull();
  expect(readTakeOver(['--take-over'])).toEqual({});
  expect(readTakeOver(['--take-over', '--last-invoice=2026-00001', '--last-credit-note=none'])).toEqual({
    invoice: '2026-00001',
    'credit-note': 'none',
  });
  for (const args of [['--takeover'], ['--last-invoice=2026-00001'], ['--take-over', '--last-invoice']]) {
    expect(() => readTakeOver(args)).toThrow('is no option of npm start; --take-over is the only one.');
  }
});

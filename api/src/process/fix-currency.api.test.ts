import { expect, test } from 'vitest';
import { findMetadata } from '#src/platform/database/metadata.ts';
import { aProduct, signedInAs } from '#test/builders.ts';
import { preparedForEach, startForTest } from '#test/use-shop.ts';
import { fixCurrency } from './fix-currency.ts';

const shop = preparedForEach(() => startForTest());

const fix = (code: string): Promise<void> => fixCurrency(shop.services.database, code);
const stored = () => findMetadata(shop.services.database.db, 'currency');
const anOrder = async () => (await signedInAs(shop, 'user')).orders(await aProduct(shop));

test('an empty shop takes any currency', async () => {
  for (const code of ['EUR', 'JPY', 'EUR', 'EUR']) await fix(code);
  expect(await stored()).toBe('EUR');
});

test('parts keep their number in a currency with the same decimals', async () => {
  await fix('EUR');
  await aProduct(shop);
  await fix('GBP');
  await expect(fix('JPY')).rejects.toThrow(
    'The prices of this shop are in GBP, and JPY has other decimals: set SHOP_CURRENCY=GBP, or start a new shop in JPY with a database of its own.',
  );
  expect(await stored()).toBe('GBP');
});

test('the first order fixes the currency', async () => {
  await fix('USD');
  await anOrder();
  await expect(fix('EUR')).rejects.toThrow(
    'This shop has orders in USD, and a shop has one currency: set SHOP_CURRENCY=USD, or start a new shop in EUR with a database of its own.',
  );
  await fix('USD');
});

test('a shop from before the setting has dollars', async () => {
  await anOrder();
  await expect(fix('EUR')).rejects.toThrow('This shop has orders in USD');
  await fix('USD');
});

test('concurrent starts are refused in another currency than the first order', async () => {
  await anOrder();
  const results = await Promise.allSettled([fix('EUR'), fix('USD'), fix('EUR'), fix('USD')]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected', 'fulfilled']);
});

test('a process takes no order after another has changed the currency', async () => {
  const customer = await signedInAs(shop, 'user');
  const product = await aProduct(shop);
  await fix('USD');
  await fix('EUR');
  const answers = [await customer.places(product), await customer.placesBatch([[product, 50]])];
  for (const { status, body } of answers) {
    expect([status, body.detail]).toEqual([
      503,
      "The shop's currency is now EUR, and this process still has USD: restart it with SHOP_CURRENCY=EUR.",
    ]);
  }
  shop.expectErrors(2);
  await fix('USD');
  expect((await customer.places(product)).status).toBe(200);
});

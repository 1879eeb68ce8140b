import { expect, test } from 'vitest';
import { readConfig } from '#src/platform/core/config.ts';
import { checkInvoices } from './check-invoices.ts';

const check = (env: Record<string, string>) =>
  checkInvoices({ config: readConfig(env), openDatabase: async () => null });
const seller = { SELLER_NAME: 'Fjord Parts AS', SELLER_ADDRESS: 'Havnegata 4, Oslo' };
const liveKeys = {
  STRIPE_SECRET_KEY: 'sk_live_abc',
  STRIPE_PUBLISHABLE_KEY: 'pk_live_abc',
  STRIPE_WEBHOOK_SECRET: 'whsec_abc',
};

test('the demonstration seller fails with live payments', async () => {
  expect(await check({})).toMatchObject([{ verdict: 'note' }]);
  expect(await check(liveKeys)).toMatchObject([
    { verdict: 'fails', sentence: expect.stringContaining('set SELLER_NAME and SELLER_ADDRESS') },
  ]);
});

test('the seller of the invoices is reported', async () => {
  const known = { ...liveKeys, ...seller, SELLER_TAX_ID: 'NO 987', SELLER_COUNTRY: 'NO' };
  const findings = await check(known);
  expect(findings[0]).toEqual({
    verdict: 'works',
    sentence: 'Invoices name Fjord Parts AS, Havnegata 4, Oslo, with the tax number NO 987.',
  });
  expect(findings[1]).toEqual({
    verdict: 'note',
    sentence: 'Invoices are no e-invoices: the settings lack a tax rate.',
  });
  expect((await check({ ...known, SELLER_TAX_RATE: '25' }))[1]?.verdict).toBe('works');
  expect((await check(seller))[0]?.sentence).toContain('without a tax number');
});

test.each([
  [
    'GB',
    'USD',
    'Tax is in USD, and the currency of United Kingdom is GBP: a tax office may ask for the tax in GBP.',
  ],
  [
    'DE',
    'USD',
    'Tax is in USD, and the currency of Germany is EUR: a tax office may ask for the tax in EUR.',
  ],
  [
    'LI',
    'CHF',
    'Tax is in CHF: make sure that this is the currency of Liechtenstein, which the doctor does not know.',
  ],
  ['JP', 'JPY', undefined],
  ['HR', 'EUR', undefined],
])('a seller of %s with tax in %s is told %j', async (country, currency, sentence) => {
  const settings = { ...seller, SELLER_TAX_ID: '1', SELLER_COUNTRY: country, SHOP_CURRENCY: currency };
  expect((await check({ ...settings, SELLER_TAX_RATE: '20' }))[2]?.sentence).toBe(sentence);
  expect(await check(settings)).toHaveLength(2);
});

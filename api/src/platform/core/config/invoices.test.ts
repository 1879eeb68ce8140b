import { describe, expect, test } from 'vitest';
import { readConfig } from '#src/platform/core/config.ts';
import { refusals } from '#test/settings.ts';

const seller = {
  SELLER_NAME: 'Fjord Parts AS',
  SELLER_ADDRESS: 'Havnegata 4, 0150 Oslo, Norway',
};

describe('seller', () => {
  test('the demonstration is the seller by default', () => {
    const config = readConfig({});
    expect(config.seller).toEqual({
      name: 'Parts Forge',
      address: ['48 Foundry Lane', 'Sheffield S3 8GG', 'United Kingdom'],
      taxId: null,
      email: null,
      country: null,
    });
    expect(config.tax).toBeNull();
    expect(config.isDemoSeller).toBe(true);
  });

  test('the seller comes from the settings, its address line by line', () => {
    const config = readConfig({
      ...seller,
      SELLER_TAX_ID: 'NO 987 654 321 MVA',
      SELLER_EMAIL: 'accounts@fjord.example',
      SELLER_COUNTRY: 'NO',
    });
    expect(config.seller).toEqual({
      name: 'Fjord Parts AS',
      address: ['Havnegata 4', '0150 Oslo', 'Norway'],
      taxId: 'NO 987 654 321 MVA',
      email: 'accounts@fjord.example',
      country: { code: 'NO', name: 'Norway' },
    });
    expect(config.isDemoSeller).toBe(false);
  });

  test('a seller has a name and an address, or neither', () => {
    const sentence = 'SELLER_NAME and SELLER_ADDRESS must be set together.';
    expect(refusals({ SELLER_NAME: seller.SELLER_NAME })).toEqual([sentence]);
    expect(refusals({ SELLER_ADDRESS: seller.SELLER_ADDRESS })).toEqual([sentence]);
  });

  test.each([
    ['SELLER_NAME', 'x'.repeat(81), 'SELLER_NAME must be 1 to 80 characters without control characters.'],
    ['SELLER_ADDRESS', 'a\nb', 'SELLER_ADDRESS must be 1 to 300 characters without control characters.'],
    ['SELLER_TAX_ID', 'x'.repeat(61), 'SELLER_TAX_ID must be 1 to 60 characters without control characters.'],
    ['SELLER_EMAIL', 'accounts', 'SELLER_EMAIL must be an email address.'],
    ['SELLER_COUNTRY', 'XX', 'SELLER_COUNTRY must be a country such as GB.'],
    [
      'SELLER_TAX_NAME',
      'x'.repeat(21),
      'SELLER_TAX_NAME must be 1 to 20 characters without control characters.',
    ],
  ])('an invalid %s is refused', (name, value, sentence) => {
    expect(refusals({ ...seller, [name]: value })).toEqual([sentence]);
  });
});

describe('tax', () => {
  test.each([
    ['0', 0],
    ['20', 2000],
    ['7.5', 750],
    ['8.25', 825],
    ['50.00', 5000],
  ])('a rate of %s is %i hundredths of a percent', (SELLER_TAX_RATE, rate) => {
    expect(readConfig({ SELLER_TAX_RATE }).tax).toEqual({ rate, name: 'VAT', exemptText: null });
  });

  test.each(['50.01', '-1', '19,5', '19 %', '7.125', '100', '1e1'])('a rate of %s is refused', (rate) => {
    expect(refusals({ SELLER_TAX_RATE: rate })).toEqual([
      'SELLER_TAX_RATE must be a percentage from 0 to 50 with at most two decimals, such as 20 or 7.5.',
    ]);
  });
});

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
    });
    expect(config.isDemoSeller).toBe(true);
  });

  test('the seller comes from the settings, its address line by line', () => {
    const config = readConfig({
      ...seller,
      SELLER_TAX_ID: 'NO 987 654 321 MVA',
      SELLER_EMAIL: 'accounts@fjord.example',
    });
    expect(config.seller).toEqual({
      name: 'Fjord Parts AS',
      address: ['Havnegata 4', '0150 Oslo', 'Norway'],
      taxId: 'NO 987 654 321 MVA',
      email: 'accounts@fjord.example',
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
  ])('an invalid %s is refused', (name, value, sentence) => {
    expect(refusals({ ...seller, [name]: value })).toEqual([sentence]);
  });
});

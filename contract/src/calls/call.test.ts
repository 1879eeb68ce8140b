import { describe, expect, test } from 'vitest';
import { buildAddress } from './call.ts';

describe('the address of a call', () => {
  test('is the path of a call without parameters', () => {
    expect(buildAddress('/config')).toBe('/config');
    expect(buildAddress('/config', {}, {})).toBe('/config');
  });

  test('encodes path parameters', () => {
    const params = { kind: 'due', id: 'a/b c?d=1' };
    expect(buildAddress('/order/:kind/:id/payment', params)).toBe('/order/due/a%2Fb%20c%3Fd%3D1/payment');
  });

  test('lists query parameters in the order of the names', () => {
    const query = { q: 'a & b', limit: 3, available: false };
    expect(buildAddress('/product', {}, query)).toBe('/product?q=a%20%26%20b&limit=3&available=false');
    expect(buildAddress('/product', {}, query, ['limit', 'q'])).toBe('/product?limit=3&q=a%20%26%20b');
    expect(buildAddress('/product', {}, { 'a&b': 1 })).toBe('/product?a%26b=1');
  });

  test('leaves out undefined and empty parameters', () => {
    expect(buildAddress('/product', {}, { q: '', sort: undefined, limit: 3 })).toBe('/product?limit=3');
    expect(buildAddress('/product', {}, { q: '', sort: undefined })).toBe('/product');
    expect(buildAddress('/product', {}, { limit: 0 })).toBe('/product?limit=0');
    expect(buildAddress('/product', {}, { limit: 3 }, [])).toBe('/product');
  });
});

import { expect, test } from 'vitest';
import { CARRIERS, findParcelPage } from './carriers.ts';

test('ten carriers have a page over TLS that ends in the number', () => {
  expect(CARRIERS).toHaveLength(10);
  for (const carrier of CARRIERS) {
    expect(findParcelPage({ carrier, number: '1Z999' })).toMatch(/^https:\/\/[a-z.-]+\/.*1Z999$/);
  }
});

test.each([
  ['dhl', 'DHL'],
  [' D H L ', 'DHL'],
  ['royalmail', 'Royal Mail'],
  ['ROYAL  MAIL', 'Royal Mail'],
  ['fedex', 'FedEx'],
  ['Hermes', 'Evri'],
  ['colissimo', 'La Poste'],
  ['DHL Paket', 'DHL'],
  ['UPS_Ground', 'UPS'],
  ['USPS Priority Mail', 'USPS'],
  ['Royal Mail 48', 'Royal Mail'],
  ['Deutsche Post', 'DHL'],
])('%j is %s', (typed, carrier) => {
  expect(findParcelPage({ carrier: typed, number: '7' })).toBe(findParcelPage({ carrier, number: '7' }));
});

test.each(['Harbour Couriers', '', 'Upstream Post', 'Mail by UPS', 'Hermes Germany', 'constructor'])(
  '%j has no page',
  (carrier) => {
    expect(findParcelPage({ carrier, number: '7' })).toBeNull();
  },
);

test('a number is encoded without its spaces', () => {
  expect(findParcelPage({ carrier: 'UPS', number: '1Z 9&x=/"ü' })).toBe(
    'https://www.ups.com/track?tracknum=1Z9%26x%3D%2F%22%C3%BC',
  );
});

import { expect, test } from 'vitest';
import { anOrder } from '#test/builders.ts';
import { sumParts } from './sum-parts.ts';

test('parts are sorted by name, numbers by value', () => {
  const names = ['Battery 9', 'battery 10', 'Écran', 'Lens'];
  const orders = names.map((productName, index) => anOrder({ productId: String(index), productName }));
  expect(sumParts(orders.toReversed()).map(({ name }) => name)).toEqual(names);
});

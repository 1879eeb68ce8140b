import { expect, test } from 'vitest';
import { anOrder } from '#test/builders.ts';
import { groupSheets, listPurchases, takeWholeBoxes } from './group-sheets.ts';

test('orders of one customer, address and reference share a sheet', () => {
  const one = anOrder({ reference: 'PO 17' });
  const same = anOrder({ reference: 'PO 17' });
  const others = [
    anOrder({ reference: 'PO 18' }),
    anOrder({ reference: 'PO 17', address: '1 Other Street' }),
    anOrder({ reference: 'PO 17', email: 'li@repair.example' }),
  ];
  expect(groupSheets([one, ...others, same])).toEqual([[one, same], ...others.map((order) => [order])]);
});

test('a box names each of its purchases once', () => {
  const purchase = { number: 10_001, part: 1, orders: 2, total: 20 };
  expect(listPurchases([anOrder({ purchase }), anOrder({ purchase })])).toBe('10001');
  expect(listPurchases([anOrder({ purchase }), anOrder()])).toBe('');
  expect(listPurchases([anOrder()])).toBe('');
});

test('a print of at most a hundred orders cuts no box', () => {
  const box = (reference: string, count: number) =>
    Array.from({ length: count }, () => anOrder({ reference }));
  const [first, second, third] = [box('PO 1', 60), box('PO 2', 60), box('PO 3', 40)];
  expect(takeWholeBoxes([...first, ...second, ...third])).toEqual([...first, ...third]);
  expect(takeWholeBoxes(box('PO 4', 120))).toHaveLength(100);
});

import { expect, test } from 'vitest';
import { anOrder } from '#app/dev/builders.ts';
import { groupSheets } from './group-sheets.ts';

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

import { expect, test } from 'vitest';
import { formatMoment } from '#app/ui/format-moment.ts';
import { listFacts } from './list-facts.ts';

test('a changed fact has both values, an unchanged one is left out', () => {
  const facts = listFacts({
    before: { quantity: 2425, price: 64.5, role: 'user' },
    after: { quantity: 2400, price: 66, role: 'user' },
  });
  expect(facts).toEqual([
    { name: 'pieces', before: '2,425', after: '2,400' },
    { name: 'price', before: '$64.50', after: '$66.00' },
  ]);
});

test('a fact on one side stands alone', () => {
  expect(listFacts({ before: { rating: 2.5 } })).toEqual([{ name: 'rating', before: '2.5' }]);
  expect(listFacts({ after: { minimumOrder: 50, disputed: true } })).toEqual([
    { name: 'minimum order', after: '50' },
    { name: 'disputed', after: 'yes' },
  ]);
  expect(listFacts({ before: { status: 'due' }, after: { status: 'pending' } })).toEqual([]);
  expect(listFacts({ after: { writtenAt: '2026-11-21T09:30:00.000Z' } })).toEqual([
    { name: 'written', after: formatMoment('2026-11-21T09:30:00.000Z') },
  ]);
});

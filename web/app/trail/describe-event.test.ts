import { expect, test } from 'vitest';
import { describeEntry } from './describe-event.ts';

const by = { kind: 'provider' } as const;

test('an entry of a lost dispute is not called a refund', () => {
  expect(describeEntry({ event: 'refunded', by, after: { refund: 70, lost: 70 } })).toBe(
    'reported a lost dispute',
  );
  const later = { before: { lost: 70 }, after: { refund: 100, lost: 70 } };
  expect(describeEntry({ event: 'refunded', by, ...later })).toBe('gave money back');
});

import { countTax } from '@parts-forge/contract/money/pricing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countNoteTax } from './tax.ts';

test.each([
  [12_000, 2000, 2000],
  [113_943, 1900, 18_193],
  [100, 550, 5],
  [1, 5000, 0],
  [3, 5000, 1],
  [100, 0, 0],
  // Above 2^53 as a product.
  [9_007_199_254_740_991, 5000, 3_002_399_751_580_330],
])('%i cents at %i hundredths of a percent contain %i', (cents, rate, tax) => {
  expect(countTax(cents, rate)).toBe(tax);
});

test('notes for a whole invoice have exactly its tax, however split', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 99_999_999 }),
      fc.integer({ min: 0, max: 5000 }),
      fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { maxLength: 60 }),
      (totalCents, rate, moves) => {
        const invoice = { totalCents, taxCents: countTax(totalCents, rate) };
        // Debit notes take some back.
        const sums = [0, ...moves.map((move) => Math.round(Math.abs(move) * totalCents)), totalCents];
        let taxCents = 0;
        for (const [index, after] of sums.entries()) {
          const before = sums[index - 1] ?? 0;
          const noteTax = countNoteTax(invoice, before, after);
          expect(noteTax).toBeLessThanOrEqual(Math.abs(after - before));
          // Within a cent of the note's own rounding.
          expect(Math.abs(noteTax - countTax(Math.abs(after - before), rate))).toBeLessThanOrEqual(1);
          taxCents += after < before ? -noteTax : noteTax;
        }
        expect(taxCents).toBe(invoice.taxCents);
      },
    ),
  );
});

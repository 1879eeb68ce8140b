import { expect, test } from 'vitest';
import { describeFits } from './describe-fits.ts';

test('the first phone models are named, the others counted', () => {
  expect(describeFits(['iPhone 13'], 1)).toBe('Fits iPhone 13');
  expect(describeFits(['iPhone 13', 'iPhone 14', 'Pixel 8', 'Pixel 9'], 1)).toBe('Fits iPhone 13, +3');
  expect(describeFits(['iPhone 13', 'iPhone 14', 'Pixel 8', 'Pixel 9'], 3)).toBe(
    'Fits iPhone 13, iPhone 14, Pixel 8, +1',
  );
});

import { screen } from '@testing-library/react';
import { expect } from 'vitest';

/** @param within where the link is; default: the whole page */
export function expectLink(
  name: string | RegExp,
  href: string,
  within: Pick<typeof screen, 'getByRole'> = screen,
): void {
  expect(within.getByRole('link', { name })).toHaveAttribute('href', href);
}

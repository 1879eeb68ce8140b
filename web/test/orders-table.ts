import { screen, within } from '@testing-library/react';

/** Of a table of orders, by the beginning of its name. */
export const tab = (name: string): HTMLElement =>
  within(screen.getByRole('navigation', { name: 'Status' })).getByRole('link', {
    name: new RegExp(`^${name}`),
  });

export const row = (name: string): Promise<HTMLElement> =>
  screen.findByRole('row', { name: new RegExp(name) });

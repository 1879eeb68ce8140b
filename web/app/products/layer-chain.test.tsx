import { listProducts } from '@parts-forge/contract/products/products';
import { listReviews } from '@parts-forge/contract/products/reviews';
import { screen, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { startFakeShop } from '#test/fake-shop.ts';
import { openPage } from '#test/open-page.tsx';

const shop = startFakeShop();

beforeEach(() => {
  shop.answer(listReviews, []);
  shop.answer(listProducts, []);
});

/** The list for wide windows; no style sheet hides the other here. */
const layers = () => {
  const [, wide] = within(screen.getByRole('group', { name: 'Exploded view of a phone' })).getAllByRole(
    'list',
  );
  return within(wide as HTMLElement);
};

test('every layer of the exploded phone leads to its kind', async () => {
  await openPage('/');
  await screen.findByRole('group', { name: 'Exploded view of a phone' });
  const targets = layers()
    .getAllByRole('link')
    .map((link) => [link.textContent, link.getAttribute('href')]);
  expect(targets).toEqual([
    ['Cover glass', '/all-products?kind=Displays'],
    ['Display', '/all-products?kind=Displays'],
    ['Mid frame', '/all-products?kind=Housing'],
    ['Battery', '/all-products?kind=Batteries'],
    ['Mainboard', '/all-products?kind=Boards'],
    ['Camera and coil', '/all-products?kind=Cameras'],
    ['Back cover', '/all-products?kind=Housing'],
  ]);
});

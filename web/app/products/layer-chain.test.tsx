import { listProducts } from '@parts-forge/contract/products';
import { listReviews } from '@parts-forge/contract/reviews';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { aProduct } from '#app/dev/builders.ts';
import { startFakeShop } from '#test/fake-shop.ts';
import { openPage } from '#test/open-page.tsx';

const shop = startFakeShop();
const prices = new Map([
  ['Displays', 21.8],
  ['Housing', 1.15],
]);

beforeEach(() => {
  shop.answer(listReviews, []);
  shop.respond(listProducts, ({ query }) => {
    const price = prices.get(query.get('kind') ?? '');
    return Response.json(price ? [aProduct({ price })] : [], {
      headers: { 'x-total-count': price ? '3' : '0' },
    });
  });
});

/** The list for wide windows; no style sheet hides the other here. */
const layers = () => {
  const [, wide] = within(screen.getByRole('group', { name: 'Exploded view of a phone' })).getAllByRole(
    'list',
  );
  return within(wide as HTMLElement);
};
const askedKinds = () =>
  shop
    .getRequests(listProducts)
    .map(({ query }) => query.get('kind'))
    .filter((kind) => kind !== null);

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

test('focus on a layer reads its count and lowest price once', async () => {
  await openPage('/');
  await screen.findByRole('group', { name: 'Exploded view of a phone' });
  expect(askedKinds()).toEqual([]);
  layers().getByRole('link', { name: 'Display' }).focus();
  expect(await layers().findByRole('link', { name: 'Display , 3 parts from $21.80' })).toBeVisible();
  expect(layers().getByRole('link', { name: 'Battery , no parts now' })).toBeVisible();
  layers()
    .getByRole('link', { name: /^Mid frame/ })
    .focus();
  expect(askedKinds()).toEqual(['Displays', 'Housing', 'Batteries', 'Boards', 'Cameras']);
});

test('facts that fail to load are omitted, and the links stay', async () => {
  await openPage('/');
  await screen.findByRole('group', { name: 'Exploded view of a phone' });
  shop.refuse(listProducts, 'overloaded');
  layers().getByRole('link', { name: 'Display' }).focus();
  await waitFor(() => expect(askedKinds()).toHaveLength(5));
  expect(layers().getByRole('link', { name: 'Display' })).toHaveAttribute(
    'href',
    '/all-products?kind=Displays',
  );
});

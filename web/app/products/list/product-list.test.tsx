import { listProducts } from '@parts-forge/contract/products/products';
import { listReviews } from '@parts-forge/contract/products/reviews';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { readBrowserBatch } from '#app/batch/browser-batch.ts';
import { aProduct, aReview, aUser } from '#test/builders.ts';
import { startFakeShop } from '#test/fake-shop.ts';
import { openPage } from '#test/open-page.tsx';

const shop = startFakeShop();

const main = () => within(screen.getByRole('main'));
const cards = () => main().findAllByRole('link', { name: /^Order Now/ });

test('a product card shows a 90-character description, price, quantity and minimum', async () => {
  const product = aProduct({ name: 'OLED display 6.1"', number: 'PF-D6101', description: 'x'.repeat(91) });
  shop.answerPage(listProducts, [product], '1');
  await openPage('/all-products');
  const [card] = await cards();
  expect(card).toHaveAttribute('href', `/purchase/${product._id}`);
  for (const text of [`${'x'.repeat(90)}…`, '$64.50', '24,800', '50', '1 part', '1 of 1 part', 'PF-D6101']) {
    expect(main().getByText(text)).toBeVisible();
  }
  const name = main().getByRole('link', { name: product.name });
  expect(name).toHaveAttribute('href', `/products/${product._id}/oled-display-6-1`);
});

test("the shop's pictures come in every width and both formats", async () => {
  shop.answerPage(listProducts, [aProduct()], '1');
  await openPage('/all-products');
  const picture = await main().findByRole('img', { name: 'OLED display assembly' });
  const stem = `/images/${'a'.repeat(64)}`;
  const list = (format: string) =>
    [160, 320, 640, 1280].map((width) => `${stem}-${width}.${format} ${width}w`).join(', ');
  expect(picture).toHaveAttribute('srcset', list('webp'));
  expect(picture.parentElement?.querySelector('source')).toHaveAttribute('srcset', list('avif'));
});

test('an out-of-stock part has Order Now and its expected day', async () => {
  const part = aProduct({ quantity: 49, expectedAt: '2999-12-12', fits: ['iPhone 13', 'iPhone 14'] });
  shop.answerPage(listProducts, [part], '1');
  await openPage('/all-products');
  expect(await main().findByText('Out of stock')).toBeVisible();
  expect(await main().findByText('expected 12 December 2999')).toBeVisible();
  const [card] = await cards();
  expect(card).toHaveAttribute('href', `/purchase/${part._id}`);
  expect(main().getByText(/Fits iPhone 13, \+1/)).toBeVisible();
});

test('the list says without tax in the head and names prices alone', async () => {
  const untaxed = { tax: 'exempt', reason: 'a charity' } as const;
  shop.signIn('user', { ...aUser(), untaxed });
  shop.answerPage(listProducts, [aProduct({ priceBreaks: [{ quantity: 500, price: 61.2 }] })], '1');
  const page = await openPage('/all-products', { taxPercent: 20 });
  await page.user.click(await main().findByRole('button', { name: 'List' }));
  expect(await main().findByRole('columnheader', { name: /^Price without tax/ })).toBeVisible();
  expect(main().getByText('$51.00 from 500')).toBeVisible();
});

test('search, sort and In stock reach the address and the call', async () => {
  shop.answerPage(listProducts, [aProduct()], '1');
  const page = await openPage('/all-products');
  await cards();
  await page.user.type(screen.getByRole('searchbox'), 'oled');
  await waitFor(() => expect(page.getAddress()).toBe('/all-products?q=oled'));
  await page.user.selectOptions(screen.getByLabelText('Sort'), 'Price, high to low');
  await waitFor(() => expect(page.getAddress()).toBe('/all-products?q=oled&sort=-price'));
  await page.user.click(screen.getByLabelText('In stock'));
  await waitFor(() => expect(page.getAddress()).toBe('/all-products?q=oled&sort=-price&available=true'));
  expect(shop.getRequests(listProducts).at(-1)?.query.toString()).toBe(
    'limit=24&q=oled&sort=-price&available=true&similar=true',
  );
});

test('a search sorts by best match until another order is chosen', async () => {
  shop.answerPage(listProducts, [aProduct()], '1');
  const page = await openPage('/all-products');
  await cards();
  expect(screen.getByLabelText('Sort')).toHaveDisplayValue('Newest first');
  await page.user.type(screen.getByRole('searchbox'), 'oled');
  await waitFor(() => expect(screen.getByLabelText('Sort')).toHaveDisplayValue('Best match'));
  await page.user.selectOptions(screen.getByLabelText('Sort'), 'Newest first');
  await waitFor(() => expect(page.getAddress()).toBe('/all-products?q=oled&sort=newest'));
  expect(shop.getRequests(listProducts).at(-1)?.query.get('sort')).toBe('newest');
});

test('a pending search shows a skeleton, and the controls show the choice', async () => {
  shop.answerPage(listProducts, [aProduct()], '1');
  const { user } = await openPage('/all-products');
  await cards();
  const release = shop.hold(listProducts);
  await user.click(screen.getByLabelText('In stock'));
  expect(await screen.findByRole('list', { name: 'Parts are loading' })).toBeInTheDocument();
  expect(screen.getByLabelText('In stock')).toBeChecked();
  expect(main().getByText('Loading parts…')).toBeVisible();
  release();
  expect(await cards()).toHaveLength(1);
});

test('a search without matches says so and can be cleared', async () => {
  shop.answerPage(listProducts, [], '0');
  await openPage('/all-products?q=nothing');
  expect(await main().findByText('No part matches “nothing”')).toBeVisible();
  expect(main().getByText('Try fewer words, or clear the search and browse by kind.')).toBeVisible();
  expect(main().getByText('0 parts')).toBeVisible();
  expect(main().getByRole('link', { name: 'Clear search' })).toHaveAttribute('href', '/all-products');
});

test('an empty list without a search has its own message', async () => {
  shop.answerPage(listProducts, [], '0');
  await openPage('/all-products');
  expect(await main().findByText('No parts for sale yet.')).toBeVisible();
  await openPage('/all-products?available=true');
  expect(await main().findByText('Nothing is in stock now.')).toBeVisible();
  await openPage('/all-products?kind=Boards');
  expect(await main().findByText('Choose another kind or phone model.')).toBeVisible();
});

test('parts that only resemble the search are labelled as similar', async () => {
  shop.answer(listProducts, [aProduct()], { 'x-match': 'similar', 'x-total-count': '1' });
  await openPage('/all-products?q=oeld');
  expect(
    await main().findByText(/No part matches “oeld”. These have similar names or phone models./),
  ).toBeVisible();
  expect(main().getByText('1 similar part')).toBeVisible();
  expect(await cards()).toHaveLength(1);
});

test('the next page is added to the list', async () => {
  const [first, second] = [aProduct({ name: 'Display' }), aProduct({ name: 'Battery' })];
  shop.answerPage(listProducts, [first], '2', 'next');
  const page = await openPage('/all-products');
  const more = await main().findByRole('link', { name: 'Load more' });
  shop.answerPage(listProducts, [second], '2');
  await page.user.click(more);
  await waitFor(() => expect(page.getAddress()).toBe('/all-products?after=next'));
  await waitFor(async () => expect(await cards()).toHaveLength(2));
  expect(main().getByText('2 of 2 parts')).toBeVisible();
});

test('a further page opened by address links to the first', async () => {
  shop.answerPage(listProducts, [aProduct()], '30');
  await openPage('/all-products?after=next');
  expect(await main().findByRole('link', { name: 'Back to the first parts' })).toHaveAttribute(
    'href',
    '/all-products',
  );
  expect(main().queryByText(/of 30 parts/)).not.toBeInTheDocument();
});

test('an outdated link to a further page shows the first page', async () => {
  const product = aProduct();
  shop.respond(listProducts, ({ query }) =>
    query.has('after') ? Response.json({}, { status: 422 }) : Response.json([product]),
  );
  await openPage('/all-products?after=old');
  expect(await cards()).toHaveLength(1);
  expect(main().queryByRole('link', { name: 'Back to the first parts' })).not.toBeInTheDocument();
});

test('a failed list names the failure and can be retried', async () => {
  shop.refuse(listProducts, 'unavailable', { requestId: '0198c2f4-aaa1' });
  const { user } = await openPage('/all-products?q=oled');
  const alert = await main().findByRole('alert');
  expect(alert).toHaveTextContent('The parts could not be loaded');
  expect(alert).toHaveTextContent('Reference 0198c2f4-aaa1');
  expect(screen.getByRole('searchbox')).toHaveValue('oled');
  shop.answerPage(listProducts, [aProduct()], '1');
  await user.click(within(alert).getByRole('button', { name: 'Try again' }));
  expect(await cards()).toHaveLength(1);
});

test('a failed further page leaves the pages before it', async () => {
  shop.answerPage(listProducts, [aProduct()], '2', 'next');
  const { user } = await openPage('/all-products');
  await cards();
  shop.refuse(listProducts, 'internal', { requestId: '0198c2f4-aaa2' });
  await user.click(main().getByRole('link', { name: 'Load more' }));
  expect(await main().findByRole('alert')).toHaveTextContent('Reference 0198c2f4-aaa2');
  expect(await cards()).toHaveLength(1);
});

test('the home page shows three featured products and the newest reviews', async () => {
  shop.answer(listProducts, [aProduct(), aProduct(), aProduct()]);
  shop.answer(listReviews, [aReview()]);
  await openPage('/');
  expect(await cards()).toHaveLength(3);
  expect(shop.getRequests(listProducts)[0]?.query.get('limit')).toBe('3');
  expect(main().getByText('Consistent from batch to batch.')).toBeVisible();
  expect(main().getByRole('link', { name: 'See All Parts' })).toHaveAttribute('href', '/all-products');
});

test('the home page works without its reviews', async () => {
  shop.answer(listProducts, [aProduct(), aProduct(), aProduct()]);
  shop.refuse(listReviews, 'overloaded', { requestId: '0198c2f4-aaa3' });
  await openPage('/');
  expect(await main().findByText('The reviews could not be loaded')).toBeVisible();
  expect(main().getByText('0198c2f4-aaa3')).toBeVisible();
  expect(await cards()).toHaveLength(3);
});

test('a picture that fails to load becomes a plain drawing', async () => {
  shop.answerPage(listProducts, [aProduct({ image: 'https://elsewhere.example/x.webp' })], '1');
  await openPage('/all-products');
  const picture = await main().findByRole('img', { name: 'OLED display assembly' });
  expect(picture).toHaveAttribute('src', 'https://elsewhere.example/x.webp');
  expect(picture).not.toHaveAttribute('srcset');
  fireEvent.error(picture);
  expect((await main().findByRole('img', { name: 'OLED display assembly' })).tagName).toBe('svg');
});

/** Two parts as rows, of which the second has steps. */
async function openList() {
  const parts = [
    aProduct({ name: 'Display', priceBreaks: [{ quantity: 500, price: 61.2 }] }),
    aProduct({ name: 'Battery', minimumOrder: 100, orderStep: 25 }),
    aProduct({ name: 'Lens', quantity: 0, expectedAt: '2999-12-12' }),
  ] as const;
  shop.answerPage(listProducts, [...parts], '3');
  const page = await openPage('/all-products');
  await page.user.click(await screen.findByRole('button', { name: 'List' }));
  return { parts, ...page, field: await screen.findByLabelText('Pieces of Display') };
}

afterEach(() => document.documentElement.removeAttribute('data-view'));

test('a row has number, price, next break, stock and minimum', async () => {
  const { parts } = await openList();
  const row = within(screen.getByRole('row', { name: /Display/ }));
  for (const text of [parts[0].number, '$64.50', '$61.20 from 500', '24,800', '50'])
    expect(row.getByText(text)).toBeVisible();
  const lens = within(screen.getByRole('row', { name: /Lens/ }));
  expect(lens.getByText('Out of stock')).toBeVisible();
  expect(await lens.findByText('expected 12 December 2999')).toBeVisible();
  expect(localStorage.getItem('list-view')).toBe('list');
  await openPage('/all-products');
  expect(await screen.findByRole('table', { name: 'Parts' })).toBeVisible();
});

test('Enter adds the quantity and moves to the next row', async () => {
  const { parts, user, field } = await openList();
  await user.type(field, '75{Enter}');
  expect(await screen.findByRole('button', { name: 'Added: Display' })).toBeVisible();
  expect(screen.getByLabelText('Pieces of Battery')).toHaveFocus();
  await user.keyboard('{Enter}');
  expect(await screen.findByRole('button', { name: 'Added: Battery' })).toBeVisible();
  expect(readBrowserBatch()?.lines).toEqual([
    { productId: parts[0]._id, quantity: 75 },
    { productId: parts[1]._id, quantity: 100 },
  ]);
});

test('a quantity that cannot be ordered stays with its reason', async () => {
  const { user } = await openList();
  const field = screen.getByLabelText('Pieces of Battery');
  await user.type(field, '110{Enter}');
  expect(field).toHaveFocus();
  expect(field).toHaveAccessibleDescription(/steps? of 25/);
  expect(readBrowserBatch()).toBeNull();
  await user.keyboard('{ArrowUp}');
  expect(field).toHaveValue('125');
  expect(field).toBeValid();
});

test('a sort by a column reaches the address', async () => {
  const { user, getAddress } = await openList();
  await user.click(screen.getByRole('button', { name: 'Price' }));
  await waitFor(() => expect(getAddress()).toBe('/all-products?sort=-price'));
  const head = () => screen.getByRole('columnheader', { name: 'Price' });
  await waitFor(() => expect(head()).toHaveAttribute('aria-sort', 'descending'));
});

test('Order by part numbers leads to the field for pasted lines', async () => {
  await openList();
  expect(main().getByRole('link', { name: 'Order by part numbers' })).toHaveAttribute(
    'href',
    '/dashboard/batch?paste',
  );
});

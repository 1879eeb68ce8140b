import { placeOrder } from '@parts-forge/contract/orders/orders';
import { type OwnPrice, readOwnPrices } from '@parts-forge/contract/prices/agreed-prices';
import { listProducts, type Product, readProduct } from '@parts-forge/contract/products/products';
import { screen, within } from '@testing-library/react';
import { expect, onTestFinished, test } from 'vitest';
import { aProduct } from '#test/builders.ts';
import { fakeEventSources } from '#test/fake-event-source.ts';
import { startFakeShop } from '#test/fake-shop.ts';
import { openPage } from '#test/open-page.tsx';
import { fillDelivery, openPurchasePage, purchase } from '#test/purchase-page.ts';

const shop = startFakeShop();
fakeEventSources();

const stepped = {
  priceBreaks: [
    { quantity: 500, price: 61.2 },
    { quantity: 5000, price: 57.9 },
  ],
};
const agree = (part: Product, ...ownPrices: OwnPrice[]) =>
  shop.answer(readOwnPrices, { data: [{ productId: part._id, ownPrices }] });

async function openPart(...ownPrices: OwnPrice[]) {
  shop.signIn();
  const part = aProduct(stepped);
  shop.answer(readProduct, { data: part });
  shop.answer(listProducts, []);
  agree(part, ...ownPrices);
  await openPage(`/products/${part._id}/oled-display-assembly`);
  return within(await screen.findByRole('region', { name: 'Order' }));
}

test('a part has both prices of each quantity and the day', async () => {
  const order = await openPart(
    { fromQuantity: 50, price: 57.9, until: '2027-06-30' },
    { fromQuantity: 5000, price: 56.4 },
  );
  expect(await order.findByText('Your price', { selector: 'span' })).toBeVisible();
  expect(order.getByText('agreed until 30 Jun 2027').parentElement).toHaveTextContent('List price $64.50');
  const rows = order.getAllByRole('row').map((row) => row.textContent);
  expect(rows).toEqual([
    'QuantityList priceYour price',
    'from 50, applies now$64.50$57.90',
    'from 500$61.20$57.90',
    'from 5,000$57.90$56.40',
  ]);
  expect(order.getByText('$330.00 less than the list')).toBeVisible();
});

test('the latest day of equal prices is named', async () => {
  const order = await openPart(
    { fromQuantity: 1, price: 57.9, until: '2026-12-01' },
    { fromQuantity: 50, price: 57.9, until: '2027-06-30' },
  );
  expect(await order.findByText('agreed until 30 Jun 2027')).toBeVisible();
});

test('a lower list price counts, and no own price is mentioned', async () => {
  const order = await openPart({ fromQuantity: 50, price: 70 });
  expect(await order.findByText('Price', { selector: 'span' })).toBeVisible();
  expect(order.queryByText(/Your price/)).not.toBeInTheDocument();
  expect(order.getByRole('columnheader', { name: 'Price Per Unit' })).toBeVisible();
});

test('a list of parts asks once and shows both prices', async () => {
  shop.signIn();
  const parts = [aProduct(), aProduct()] as const;
  shop.answerPage(listProducts, [...parts], '2');
  agree(parts[1], { fromQuantity: 50, price: 57.9 });
  await openPage('/all-products');
  expect(await screen.findByText('List $64.50')).toBeVisible();
  expect(screen.getAllByText('Your price')).toHaveLength(1);
  const asked = shop.getRequests(readOwnPrices).map(({ query }) => query.get('products'));
  expect(asked).toEqual([parts.map(({ _id }) => _id).join()]);
});

test('a list names no break that costs as much', async () => {
  shop.signIn();
  onTestFinished(() => document.documentElement.removeAttribute('data-view'));
  const part = aProduct(stepped);
  shop.answerPage(listProducts, [part], '1');
  agree(part, { fromQuantity: 50, price: 57.9 });
  const { user } = await openPage('/all-products');
  await user.click(await screen.findByRole('button', { name: 'List' }));
  const list = within(await screen.findByRole('table', { name: 'Parts' }));
  expect(await list.findByText('List $64.50')).toBeVisible();
  expect(list.queryByText(/from 500/)).not.toBeInTheDocument();
});

test('prices that could not be read are said and can be retried', async () => {
  shop.signIn();
  const part = aProduct();
  shop.answerPage(listProducts, [part], '1');
  shop.refuse(readOwnPrices, 'too-many');
  const { user } = await openPage('/all-products');
  await screen.findByText('Your prices could not be read. The list’s prices are shown.');
  agree(part, { fromQuantity: 50, price: 57.9 });
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('List $64.50')).toBeVisible();
  expect(screen.queryByText(/could not be read/)).not.toBeInTheDocument();
  expect(screen.getByRole('heading', { level: 1 })).toHaveFocus();
  // Prices that were read before stay.
  shop.refuse(readOwnPrices, 'too-many');
  const { queryClient } = await import('#app/calls/query-client.ts');
  await queryClient.refetchQueries({ queryKey: ['own-prices'] });
  expect(shop.getRequests(readOwnPrices)).toHaveLength(3);
  expect(screen.getByText('List $64.50')).toBeVisible();
  expect(screen.queryByText(/could not be read/)).not.toBeInTheDocument();
});

test('an administrator has no own prices', async () => {
  shop.signIn('admin');
  shop.answerPage(listProducts, [aProduct()], '1');
  const { user } = await openPage('/all-products');
  await user.click(await screen.findByRole('button', { name: /^Amara/ }));
  expect(await screen.findByRole('link', { name: 'Manage All Orders' })).toBeVisible();
  expect(shop.getRequests(readOwnPrices)).toEqual([]);
});

test('an own price that ends before Purchase is a changed price', async () => {
  const part = aProduct();
  agree(part, { fromQuantity: 50, price: 57.9 });
  const page = await openPurchasePage(shop, part);
  expect(await screen.findByText('50 × $57.90')).toBeVisible();
  shop.refuse(placeOrder, 'price-changed', { price: 64.5 });
  shop.answer(readOwnPrices, { data: [] });
  await fillDelivery(page);
  await page.user.click(purchase());
  expect(await screen.findByRole('alert')).toHaveTextContent(
    'It is now $64.50 per unit, $3,225.00 in total.',
  );
  expect(shop.getRequests(placeOrder)[0]?.body).toMatchObject({ totalPrice: 2895 });
});

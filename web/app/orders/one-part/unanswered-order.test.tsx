import { placeOrder } from '@parts-forge/contract/orders/orders';
import { screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { aProduct, aUser } from '#test/builders.ts';
import { expectLink } from '#test/expect-link.ts';
import { startFakeShop } from '#test/fake-shop.ts';
import { closePage } from '#test/open-page.tsx';
import { fillDelivery, openPurchasePage, purchase, reload } from '#test/purchase-page.ts';

const shop = startFakeShop();
const product = aProduct();

const openPurchase = (user = aUser(), price = product.price) =>
  openPurchasePage(shop, { ...product, price }, user);

async function openFilled() {
  const page = await openPurchase();
  await fillDelivery(page);
  return page.user;
}

const getKeys = () => shop.getRequests(placeOrder).map(({ headers }) => headers.get('idempotency-key'));

/** Sends an order, loses its response and reloads the page with the given customer and price. */
async function loseAnswer(customer = aUser(), price = product.price) {
  const user = await openFilled();
  shop.disconnect(placeOrder);
  await user.click(purchase());
  expect(await screen.findByText('No answer came.')).toBeVisible();
  reload();
  return openPurchase(customer, price);
}
const orderAgain = () => screen.getByRole('button', { name: 'It has arrived, order again' });
const placed = { insertedId: '01a1fe55-4eaf-7194-bacc-000000000000' };
const getStored = () => Object.keys(sessionStorage).filter((key) => key.startsWith('draft:sent:'));
const unanswered = () => screen.queryByText('An order was sent and no answer came.');

test('an unanswered order keeps its key after a reload, with a notice', async () => {
  const { user } = await loseAnswer();
  const notice = unanswered()?.closest('p');
  expect(notice).toHaveTextContent('Pressing Purchase with the same entries does not place it twice.');
  expectLink('My Orders', '/dashboard/my-orders');
  shop.answer(placeOrder, placed);
  await user.click(purchase());
  expect(await screen.findByText('Order placed successfully')).toBeVisible();
  const [first, second] = getKeys();
  expect(second).toBe(first);
  reload();
  await openPurchase();
  expect(unanswered()).not.toBeInTheDocument();
});

test('the same entries resend the original order despite a new price', async () => {
  const { user } = await loseAnswer(aUser({ name: 'Amara Mensah' }), 60);
  shop.answer(placeOrder, placed);
  await user.click(purchase());
  expect(await screen.findByText('Order placed successfully')).toBeVisible();
  const [first, second] = shop.getRequests(placeOrder);
  expect(second?.body).toEqual(first?.body);
  expect(getKeys()[1]).toBe(getKeys()[0]);
});

test('a price-changed refusal settles the order; the next gets another key', async () => {
  const { user } = await loseAnswer(aUser(), 60);
  shop.refuse(placeOrder, 'price-changed', { price: 60 });
  await user.click(purchase());
  expect(await screen.findByRole('alert')).toHaveTextContent('The order was not placed. The price changed');
  shop.answer(placeOrder, placed);
  await user.click(purchase());
  expect(await screen.findByText('Order placed successfully')).toBeVisible();
  expect(shop.getRequests(placeOrder)[2]?.body).toMatchObject({ totalPrice: 3000 });
  const [first, second, third] = getKeys();
  expect(second).toBe(first);
  expect(third).not.toBe(first);
});

test('a customer who knows it arrived can order the same again', async () => {
  const { user } = await loseAnswer();
  await user.click(orderAgain());
  expect(unanswered()).not.toBeInTheDocument();
  expect(screen.getByRole('heading', { name: 'Your order' })).toHaveFocus();
  await user.click(purchase());
  expect(await screen.findByText('No answer came.')).toBeVisible();
  await user.click(orderAgain());
  expect(screen.queryByText('No answer came.')).not.toBeInTheDocument();
  shop.answer(placeOrder, placed);
  await user.click(purchase());
  expect(await screen.findByText('Order placed successfully')).toBeVisible();
  expect(new Set(getKeys()).size).toBe(3);
});

test('a visit to My Orders settles an unanswered order', async () => {
  const { user, getAddress } = await loseAnswer();
  await user.click(screen.getByRole('link', { name: 'My Orders' }));
  await waitFor(() => expect(getAddress()).toBe('/dashboard/my-orders'));
  reload();
  await openPurchase();
  expect(unanswered()).not.toBeInTheDocument();
});

test('nothing is stored after Logout, even when the response arrives later', async () => {
  const { user, getAddress } = await loseAnswer();
  shop.refuse(placeOrder, 'overloaded');
  const release = shop.hold(placeOrder);
  await user.click(purchase());
  expect(await screen.findByRole('button', { name: 'Placing order…' })).toBeVisible();
  expect(getStored()).toHaveLength(1);
  await user.click(await screen.findByRole('button', { name: 'Amara' }));
  await user.click(screen.getByRole('button', { name: 'Logout' }));
  await waitFor(() => expect(getAddress()).not.toMatch(/^\/purchase/));
  const write = vi.spyOn(sessionStorage, 'removeItem');
  release();
  // The response has been read.
  await waitFor(() => expect(write).toHaveBeenCalledWith(`draft:sent:order:${product._id}`));
  expect(getStored()).toEqual([]);
});

test('a reload during an order makes it unanswered', async () => {
  const user = await openFilled();
  shop.answer(placeOrder, placed);
  shop.hold(placeOrder);
  await user.click(purchase());
  expect(await screen.findByRole('button', { name: 'Placing order…' })).toBeVisible();
  reload();
  await openPurchase();
  expect(unanswered()).toBeVisible();
});

test('a refused order is settled, but not after a lost response', async () => {
  const user = await openFilled();
  shop.refuse(placeOrder, 'overloaded');
  await user.click(purchase());
  expect(await screen.findByText('The order was not placed.')).toBeVisible();
  expect(getStored()).toEqual([]);
  reload();
  await openPurchase();
  expect(unanswered()).not.toBeInTheDocument();
  closePage();
  sessionStorage.clear();
  const again = await loseAnswer();
  shop.refuse(placeOrder, 'overloaded');
  await again.user.click(purchase());
  expect(await screen.findByText('No answer came.')).toBeVisible();
  reload();
  await openPurchase();
  expect(unanswered()).toBeVisible();
});

test('another customer sees no notice of it', async () => {
  await loseAnswer();
  reload();
  await openPurchase(aUser({ email: 'tomas@repair.example' }));
  expect(unanswered()).not.toBeInTheDocument();
});

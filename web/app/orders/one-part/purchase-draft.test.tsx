import { listOrders, placeOrder } from '@parts-forge/contract/orders/orders';
import type { User } from '@parts-forge/contract/people/users';
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { anOrder, aProduct, aUser } from '#test/builders.ts';
import { startFakeShop } from '#test/fake-shop.ts';
import { closePage, type OpenPage, openPage } from '#test/open-page.tsx';
import {
  address,
  fillDelivery,
  openPurchasePage,
  phone,
  purchase,
  quantity,
  reload,
  typeQuantity,
} from '#test/purchase-page.ts';

const shop = startFakeShop();
const product = aProduct();

const openPurchase = (user?: User, query?: string) => openPurchasePage(shop, product, user, query);

async function type(page: OpenPage) {
  await fillDelivery(page);
  await typeQuantity(page, '75');
}

test('typed entries survive two reloads', async () => {
  await type(await openPurchase());
  for (const _ of [1, 2]) {
    reload();
    await openPurchase();
    expect(address()).toHaveValue('12 Oxford Street');
    expect(phone()).toHaveValue('233302771204');
    expect(quantity()).toHaveValue('75');
  }
});

test('typed entries survive a visit to another page', async () => {
  await type(await openPurchase());
  closePage();
  await openPurchase();
  expect(address()).toHaveValue('12 Oxford Street');
});

test('another customer does not get the entries', async () => {
  await type(await openPurchase());
  reload();
  await openPurchase(aUser({ email: 'tomas@repair.example' }));
  expect(address()).toHaveValue('');
  expect(quantity()).toHaveValue(String(product.minimumOrder));
});

test('a placed order leaves no draft behind', async () => {
  const page = await openPurchase();
  await type(page);
  reload();
  const { user } = await openPurchase();
  const order = anOrder({ address: 'Ring Road 4' });
  shop.answer(placeOrder, { insertedId: order._id });
  shop.answer(listOrders, { data: [order] });
  await user.click(purchase());
  expect(await screen.findByText(`Order ${order.number} is placed.`)).toBeVisible();
  reload();
  await openPurchase();
  expect(screen.getByText('Ring Road 4')).toBeVisible();
  expect(quantity()).toHaveValue(String(product.minimumOrder));
});

test('signing out removes all drafts', async () => {
  const page = await openPurchase();
  await type(page);
  reload();
  const { user } = await openPage('/blogs');
  await user.click(await screen.findByRole('button', { name: 'Amara' }));
  await user.click(screen.getByRole('button', { name: 'Logout' }));
  expect(Object.keys(sessionStorage).filter((key) => key.startsWith('draft:'))).toEqual([]);
});

test("the form offers the profile's phone, and a typed phone replaces it", async () => {
  const { user } = await openPurchase(aUser({ phone: '+233 30 277-1204' }));
  await waitFor(() => expect(phone()).toHaveValue('233302771204'));
  await user.clear(phone());
  await user.type(phone(), '49301234567');
  reload();
  await openPurchase(aUser({ phone: '+233 30 277-1204' }));
  expect(phone()).toHaveValue('49301234567');
});

test("the last order's address and phone stand as text until an order", async () => {
  shop.answer(listOrders, { data: [anOrder({ address: 'Ring Road 4', phone: '233111' })] });
  const { user } = await openPurchase(aUser({ phone: '+233 30 277-1204' }));
  expect(screen.getByText('Ring Road 4')).toBeVisible();
  expect(screen.getByText('233111')).toBeVisible();
  expect(screen.queryByLabelText('Address')).not.toBeInTheDocument();
  shop.answer(placeOrder, { insertedId: '01a1fe55-4eaf-7194-bacc-000000000000' });
  await user.click(purchase());
  expect(await screen.findByText('Order placed successfully')).toBeVisible();
  expect(address()).toHaveValue('');
  expect(shop.getSentBody(placeOrder)).toMatchObject({ address: 'Ring Road 4', phone: '233111' });
});

test('Change turns the known address into a field with the focus', async () => {
  shop.answer(listOrders, { data: [anOrder({ address: 'Ring Road 4', phone: '233111' })] });
  const { user } = await openPurchase();
  await user.click(screen.getByRole('button', { name: 'Change' }));
  expect(address()).toHaveFocus();
  expect(address()).toHaveValue('Ring Road 4');
  expect(phone()).toHaveValue('233111');
  await user.type(address(), ', Accra');
  shop.answer(placeOrder, { insertedId: '01a1fe55-4eaf-7194-bacc-000000000000' });
  await user.click(purchase());
  expect(await screen.findByText('Order placed successfully')).toBeVisible();
  expect(shop.getSentBody(placeOrder)).toMatchObject({ address: 'Ring Road 4, Accra', phone: '233111' });
});

test('a first order does not refill the form it just emptied', async () => {
  const page = await openPurchase();
  await waitFor(() => expect(shop.getRequests(listOrders)).toHaveLength(1));
  await type(page);
  shop.answer(placeOrder, { insertedId: '01a1fe55-4eaf-7194-bacc-000000000000' });
  shop.answer(listOrders, { data: [anOrder({ address: 'Ring Road 4' })] });
  await page.user.click(purchase());
  expect(await screen.findByText('Order placed successfully')).toBeVisible();
  await waitFor(() => expect(shop.getRequests(listOrders)).toHaveLength(2));
  expect(address()).toHaveValue('');
});

test('a phone in the profile that is no number offers none', async () => {
  await openPurchase(aUser({ phone: 'ask for Amara' }));
  expect(phone()).toHaveValue('');
});

test('a quantity in the address wins over the typed one', async () => {
  await type(await openPurchase());
  reload();
  await openPurchase(aUser(), '?quantity=500');
  expect(address()).toHaveValue('12 Oxford Street');
  expect(quantity()).toHaveValue('500');
});

test('the gauge passes its end when the total exceeds one payment', async () => {
  const { user } = await openPurchase();
  const gauge = () => document.querySelector('.pf-gauge');
  await user.clear(quantity());
  await user.type(quantity(), '15000');
  expect(gauge()).not.toHaveAttribute('data-out');
  await user.clear(quantity());
  await user.type(quantity(), '20000');
  expect(gauge()).toHaveAttribute('data-out', 'high');
});

import { listOrders, placeOrder } from '@parts-forge/contract/orders';
import { readProduct } from '@parts-forge/contract/products';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { anOrder, aProduct, aUser } from '#app/dev/builders.ts';
import { startFakeShop } from '#test/fake-shop.ts';
import { closePage, type OpenPage, openPage } from '#test/open-page.tsx';

const shop = startFakeShop();
const product = aProduct();

const address = () => screen.getByLabelText('Address');
const phone = () => screen.getByLabelText('phone');
const quantity = () => screen.getByLabelText('Purchase Quantity');

async function openPurchase(user = aUser()) {
  shop.signIn('user', user);
  shop.answer(readProduct, { data: product });
  const page = await openPage(`/purchase/${product._id}`);
  await screen.findByRole('heading', { name: 'Your order' });
  return page;
}

async function type({ user }: OpenPage) {
  await user.type(address(), '12 Oxford Street');
  await user.type(phone(), '233302771204');
  await user.clear(quantity());
  await user.type(quantity(), '75');
}

/** The browser ends the page, with all that is in it. */
function reload() {
  fireEvent(window, new Event('pagehide'));
  closePage();
}

test('what was typed survives a reload, and another one', async () => {
  await type(await openPurchase());
  for (const _ of [1, 2]) {
    reload();
    await openPurchase();
    expect(address()).toHaveValue('12 Oxford Street');
    expect(phone()).toHaveValue(233302771204);
    expect(quantity()).toHaveValue(75);
  }
});

test('what was typed survives a look at another page', async () => {
  await type(await openPurchase());
  closePage();
  await openPurchase();
  expect(address()).toHaveValue('12 Oxford Street');
});

test('nobody else gets it', async () => {
  await type(await openPurchase());
  reload();
  await openPurchase(aUser({ email: 'tomas@repair.example' }));
  expect(address()).toHaveValue('');
  expect(quantity()).toHaveValue(product.minimumOrder);
});

test('an order that was placed leaves nothing to be placed again', async () => {
  const page = await openPurchase();
  await type(page);
  reload();
  const { user } = await openPurchase();
  shop.answer(placeOrder, { insertedId: '01a1fe55-4eaf-7194-bacc-000000000000' });
  await user.click(screen.getByRole('button', { name: 'Purchase' }));
  expect(await screen.findByText('Order placed successfully')).toBeVisible();
  reload();
  await openPurchase();
  expect(address()).toHaveValue('');
  expect(quantity()).toHaveValue(product.minimumOrder);
});

test('whoever signs out leaves nothing behind', async () => {
  const page = await openPurchase();
  await type(page);
  reload();
  const { user } = await openPage('/blogs');
  await user.click(await screen.findByRole('button', { name: 'Amara' }));
  await user.click(screen.getByRole('button', { name: 'Logout' }));
  expect(Object.keys(sessionStorage).filter((key) => key.startsWith('draft:'))).toEqual([]);
});

test('the phone of the profile is offered, and another one may be typed', async () => {
  const { user } = await openPurchase(aUser({ phone: '+233 30 277-1204' }));
  await waitFor(() => expect(phone()).toHaveValue(233302771204));
  await user.clear(phone());
  await user.type(phone(), '49301234567');
  reload();
  await openPurchase(aUser({ phone: '+233 30 277-1204' }));
  expect(phone()).toHaveValue(49301234567);
});

test('address and phone of the last order are offered, and not any more once an order was placed', async () => {
  shop.answer(listOrders, { data: [anOrder({ address: 'Ring Road 4', phone: '233111' })] });
  const { user } = await openPurchase(aUser({ phone: '+233 30 277-1204' }));
  await waitFor(() => expect(address()).toHaveValue('Ring Road 4'));
  expect(phone()).toHaveValue(233111);
  shop.answer(placeOrder, { insertedId: '01a1fe55-4eaf-7194-bacc-000000000000' });
  await user.click(screen.getByRole('button', { name: 'Purchase' }));
  expect(await screen.findByText('Order placed successfully')).toBeVisible();
  expect(address()).toHaveValue('');
  expect(shop.getSentBody(placeOrder)).toMatchObject({ address: 'Ring Road 4', phone: '233111' });
});

test('a first order is not offered to the form that it has just left empty', async () => {
  const page = await openPurchase();
  await waitFor(() => expect(shop.getRequests(listOrders)).toHaveLength(1));
  await type(page);
  shop.answer(placeOrder, { insertedId: '01a1fe55-4eaf-7194-bacc-000000000000' });
  shop.answer(listOrders, { data: [anOrder({ address: 'Ring Road 4' })] });
  await page.user.click(screen.getByRole('button', { name: 'Purchase' }));
  expect(await screen.findByText('Order placed successfully')).toBeVisible();
  await waitFor(() => expect(shop.getRequests(listOrders)).toHaveLength(2));
  expect(address()).toHaveValue('');
});

test('a mark between the digits of a phone number stays out, and the page says so', async () => {
  const { user } = await openPurchase();
  await user.type(phone(), '+44 7700-900123');
  expect(phone()).toHaveValue(447700900123);
  expect(phone()).toHaveAccessibleDescription('Digits are enough: no + or spaces.');
});

test('a profile whose phone is no number offers none', async () => {
  await openPurchase(aUser({ phone: 'ask for Amara' }));
  expect(phone()).toHaveValue(null);
});

test('another quantity that the address asks for wins over the one that was typed', async () => {
  await type(await openPurchase());
  reload();
  shop.signIn();
  await openPage(`/purchase/${product._id}?quantity=500`);
  await screen.findByRole('heading', { name: 'Your order' });
  expect(address()).toHaveValue('12 Oxford Street');
  expect(quantity()).toHaveValue(500);
});

test('a part that has just sold out does not ask for another press', async () => {
  const page = await openPurchase();
  await type(page);
  shop.refuse(placeOrder, 'above-stock', { quantity: 0 });
  await page.user.click(screen.getByRole('button', { name: 'Purchase' }));
  const alert = await screen.findByRole('alert');
  expect(alert).toHaveTextContent(
    'The order was not placed. Others were faster: too few pieces are left to order. Your entries are kept.',
  );
  expect(screen.getByText('Out of stock')).toBeVisible();
});

test('the gauge stands beyond its end where one payment cannot hold what it costs', async () => {
  const { user } = await openPurchase();
  const gauge = () => document.querySelector('.pf-gauge');
  await user.clear(quantity());
  await user.type(quantity(), '15000');
  expect(gauge()).not.toHaveAttribute('data-out');
  await user.clear(quantity());
  await user.type(quantity(), '20000');
  expect(gauge()).toHaveAttribute('data-out', 'high');
});

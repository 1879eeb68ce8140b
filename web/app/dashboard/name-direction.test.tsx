import { listActivity, readOrderTrail, readStockLedger } from '@parts-forge/contract/events/trail';
import { listWebhooks } from '@parts-forge/contract/events/webhooks';
import { readOrderPayment } from '@parts-forge/contract/money/payments';
import { cancelOrder, listOrders, readOrder } from '@parts-forge/contract/orders/orders';
import { createResetLink } from '@parts-forge/contract/people/accounts';
import { changeRole, listUsers, readUserSummary } from '@parts-forge/contract/people/users';
import { changeProduct } from '@parts-forge/contract/products/product-changes';
import { listProducts, readProduct } from '@parts-forge/contract/products/products';
import { listReviews } from '@parts-forge/contract/products/reviews';
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { anOrder, aProduct, aReview, aUser } from '#test/builders.ts';
import { startFakeShop } from '#test/fake-shop.ts';
import { openPage } from '#test/open-page.tsx';
import { openRowMenu } from '#test/row-menu.ts';

const shop = startFakeShop();
/** Right to left: it reorders the words beside it unless isolated. */
const name = 'علي';
const sums = { orders: 0, paid: 0, waiting: 0, unpaid: 0, refunded: 0, reviews: [] };
const by = { kind: 'admin' as const, name };

function expectIsolated(): void {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const places: string[] = [];
  while (texts.nextNode()) {
    const { data, parentElement } = texts.currentNode as Text;
    // A line with `dir="auto"` isolates, too, and is cut at the name's own end.
    const isIsolated = parentElement?.matches('bdi, [dir="auto"]');
    if (data.includes(name)) places.push(`${isIsolated ? 'isolated' : parentElement?.tagName}: ${data}`);
  }
  expect(places).not.toEqual([]);
  expect(new Set(places)).toEqual(new Set([`isolated: ${name}`]));
}

const open = (address: string) => {
  shop.signIn('admin', aUser({ name, role: 'admin' }));
  return openPage(address);
};

test('the dashboard isolates the direction of the name in its menus', async () => {
  await open('/dashboard/my-profile');
  expect(await screen.findByRole('heading', { name: 'Your details' })).toBeVisible();
  expect(await screen.findByRole('button', { name })).toBeVisible();
  expectIsolated();
});

test("a customer's page isolates the direction of the name", async () => {
  shop.answer(readUserSummary, sums);
  await open('/dashboard/customers/x');
  expect(await screen.findByText('No open order')).toBeVisible();
  expect(screen.getByRole('heading', { level: 1, name })).toBeVisible();
  expectIsolated();
});

test('a list of orders and its questions isolate the direction of names', async () => {
  const refund = { amount: 40, state: 'succeeded' } as const;
  shop.answer(listOrders, { data: [anOrder({ name }), anOrder({ name, status: 'pending', refund })] });
  const { user } = await open('/dashboard/manage-orders');
  for (const button of [/^Cancel order/, /^Refund order/, /^accept payment/]) {
    if (button.source === '^Refund order') await openRowMenu(user, /^More for order/, 1);
    await user.click(await screen.findByRole('button', { name: button }));
    expect(await screen.findByRole('dialog')).toHaveTextContent(name);
    expectIsolated();
    await user.click(screen.getByRole('button', { name: /^(Keep|Not now|Not yet)/ }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  }
  shop.refuse(cancelOrder, 'not-due');
  await user.click(screen.getByRole('button', { name: /^Cancel order of/ }));
  await user.click(await screen.findByRole('button', { name: 'Cancel order' }));
  expect(await screen.findByRole('alert')).toHaveTextContent(name);
  expectIsolated();
});

test.each([true, false])(
  "a clerk's page of an order isolates names, with an account: %s",
  async (hasAccount) => {
    const order = anOrder({ name });
    shop.answer(readOrder, order);
    shop.refuse(readOrderPayment, 'not-found');
    shop.answer(readProduct, { data: aProduct() });
    if (hasAccount) shop.answer(readUserSummary, sums);
    else shop.refuse(readUserSummary, 'not-found');
    shop.answer(readOrderTrail, { data: [{ at: order.createdAt, event: 'ordered', by }] });
    await open(`/dashboard/order/${order._id}`);
    expect(await screen.findByText('ordered', { exact: false })).toBeVisible();
    if (hasAccount) expect(await screen.findByRole('link', { name })).toBeVisible();
    expectIsolated();
  },
);

test('a packing slip isolates the direction of the name', async () => {
  const order = anOrder({ name });
  shop.answer(readOrder, order);
  shop.answer(readProduct, { data: aProduct() });
  await open(`/dashboard/packing-slips?orders=${order._id}`);
  expect(await screen.findByRole('article', { name: /^Packing slip/ })).toHaveTextContent(name);
  expectIsolated();
});

test('a stock ledger isolates the direction of names', async () => {
  const product = aProduct();
  const at = new Date().toISOString();
  const data = [{ at, kind: 'restock' as const, change: 5, balance: 5, by }];
  shop.answer(readProduct, { data: product });
  shop.answerPage(readStockLedger, { data, held: 0 }, '1');
  await open(`/dashboard/manage-products/${product._id}/stock`);
  expect(await screen.findByRole('table')).toHaveTextContent(name);
  expectIsolated();
});

test('the conflict notice isolates the direction of the name', async () => {
  const product = aProduct();
  const current = { ...product, price: 70, fits: ['Norda 12'], version: 2 };
  shop.answer(readProduct, { data: product });
  const { user } = await open(`/dashboard/manage-products/${product._id}`);
  const price = await screen.findByLabelText('Price');
  await user.clear(price);
  await user.type(price, '65');
  shop.answer(listActivity, {
    data: [{ _id: 'x', at: current.updatedAt, event: 'product-changed', by, requestId: 'x' }],
  });
  shop.refuse(changeProduct, 'version-changed', { current });
  await user.click(screen.getByRole('button', { name: 'Save changes' }));
  // The name is asked for once the alert is there.
  await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent(name));
  expectIsolated();
});

test('a review isolates the direction of its name', async () => {
  shop.answer(listProducts, []);
  shop.answer(listReviews, [aReview({ name })]);
  await openPage('/');
  expect(await screen.findByText(name)).toBeVisible();
  expectIsolated();
});

test('the questions about people isolate the direction of names', async () => {
  const [admin, customer] = [aUser({ name, role: 'admin', email: 'b@shop.example' }), aUser({ name })];
  shop.answerPage(listUsers, [admin, customer], '2');
  shop.answer(listWebhooks, { data: [] });
  shop.answer(createResetLink, { url: 'https://shop.example/reset-password#token=abc', expiresIn: 3600 });
  shop.signIn('admin', aUser({ name, role: 'admin', email: 'c@shop.example' }));
  const { user } = await openPage('/dashboard/manage-users');
  for (const button of [/^Make user/, /^Make Admin/, /^Delete user/, /^Reset link/]) {
    if (button.source !== '^Make Admin')
      await openRowMenu(user, /^More for/, button.source === '^Make user' ? 0 : 1);
    await user.click(await screen.findByRole('button', { name: button }));
    expect(screen.getByRole('dialog')).toHaveTextContent(name);
    expectIsolated();
    if (button.source !== '^Reset link') await user.keyboard('{Enter}');
  }
  await user.click(screen.getByRole('button', { name: 'Create a reset link' }));
  expect(await screen.findByText(/#token=abc$/)).toBeVisible();
  expectIsolated();
  await user.click(screen.getByRole('button', { name: 'I have copied it' }));
  shop.refuse(changeRole, 'last-admin');
  await openRowMenu(user, /^More for/, 0);
  await user.click(screen.getByRole('button', { name: /^Make user/ }));
  await user.click(screen.getByRole('button', { name: 'Make user' }));
  expect(await screen.findByRole('alert')).toHaveTextContent(name);
  expectIsolated();
});

import { listOrders, placeOrder } from '@parts-forge/contract/orders/orders';
import { sendVerificationMail } from '@parts-forge/contract/people/email-verification';
import type { User } from '@parts-forge/contract/people/users';
import { readInstead } from '@parts-forge/contract/products/instead';
import { partPath } from '@parts-forge/contract/products/part-rules';
import { type Product, readProduct } from '@parts-forge/contract/products/products';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { anOrder, aProduct, aUser } from '#test/builders.ts';
import { expectLink } from '#test/expect-link.ts';
import { fakeEventSources } from '#test/fake-event-source.ts';
import { startFakeShop } from '#test/fake-shop.ts';
import { type OpenPage, openPage } from '#test/open-page.tsx';
import {
  address,
  fillDelivery,
  openPurchasePage,
  phone,
  purchase,
  quantity,
  typeQuantity,
} from '#test/purchase-page.ts';

const shop = startFakeShop();
const streams = fakeEventSources();
beforeEach(() => shop.answer(readInstead, { data: { product: aProduct(), instead: [] } }));

const total = () => screen.getByText(/^\$[\d,]+\.\d\d$/, { selector: '[aria-live]' });

const openPurchase = (product?: Product, user?: User) => openPurchasePage(shop, product, user);

async function sendOrder(page: OpenPage) {
  await fillDelivery(page);
  await page.user.click(purchase());
}

test("the page shows the part's figures and the customer's name and email", async () => {
  const product = aProduct();
  await openPurchase(product);
  const sheet = within(screen.getByRole('article'));
  expect(sheet.getByRole('heading', { level: 1, name: 'OLED display assembly' })).toBeVisible();
  for (const text of ['Price Per Unit', '$64.50', '24,800', 'Minimum Order Quantity', '50']) {
    expect(sheet.getByText(text)).toBeVisible();
  }
  expect(screen.getByText('Name', { selector: 'dt' }).nextSibling).toHaveTextContent('Amara Okafor');
  expect(screen.getByText('Email', { selector: 'dt' }).nextSibling).toHaveTextContent('amara@repair.example');
  expect(screen.getByText(product.description)).toBeVisible();
  expectLink(product.name, partPath(product), sheet);
  expect(quantity()).toHaveValue('50');
  expect(quantity()).toHaveAttribute('min', '0');
  expect(total()).toHaveTextContent('$3,225.00');
});

test('a part that is loading shows a skeleton', async () => {
  const product = aProduct();
  shop.signIn();
  shop.answer(readProduct, { data: product });
  const release = shop.hold(readProduct);
  await openPage(`/purchase/${product._id}`);
  expect(await screen.findByText('Loading…')).toBeInTheDocument();
  release();
  expect(await screen.findByRole('heading', { name: 'Your order' })).toBeVisible();
});

test('the address field warns about letters that invoices cannot print', async () => {
  const { user } = await openPurchase();
  const note = () => screen.queryByText(/^Invoices print Latin, Greek and Cyrillic letters/);
  await user.type(address(), 'Κύπρου 4, Łódź');
  expect(note()).not.toBeInTheDocument();
  await user.type(address(), ' 東京');
  expect(note()).toBeVisible();
});

test('an unknown part shows the not-found page', async () => {
  shop.signIn();
  shop.refuse(readProduct, 'not-found');
  shop.refuse(readInstead, 'not-found');
  await openPage(`/purchase/${aProduct()._id}`);
  expect(await screen.findByRole('link', { name: 'Take Me Home' })).toBeVisible();
});

test('a removed part leads to its page, which names what fits instead', async () => {
  const part = aProduct({ name: 'Screw set' });
  const other = aProduct({ name: 'Screw set, steel' });
  shop.signIn();
  shop.refuse(readProduct, 'not-found');
  shop.answer(readInstead, {
    data: { product: part, gone: true, instead: [{ product: other, fits: 0, of: 0, quantity: 50 }] },
  });
  const { getAddress } = await openPage(`/purchase/${part._id}`);
  expect(await screen.findByText('This part is no longer sold.')).toBeVisible();
  expectLink('Screw set, steel', `/products/${other._id}/screw-set-steel`);
  expect(getAddress()).toBe(`/products/${part._id}`);
  expect(document.title).toBe('Screw set is no longer sold · Parts Forge');
});

test('a failed read names its reference and can be retried', async () => {
  const product = aProduct();
  shop.signIn();
  shop.refuse(readProduct, 'internal', { requestId: '0198c2f4-eeee' });
  const { user } = await openPage(`/purchase/${product._id}`);
  const alert = await screen.findByRole('alert');
  expect(alert).toHaveTextContent('The part could not be loaded');
  expect(alert).toHaveTextContent('Reference 0198c2f4-eeee');
  shop.answer(readProduct, { data: product });
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('heading', { name: 'Your order' })).toBeVisible();
});

test.each([
  ['49', 'Please order minimum 50'],
  ['24801', 'maximum order range 24800'],
  ['', 'Quantity is Required'],
  ['50.5', 'Quantity must be a whole number'],
  ['50,5', '“50,5” is not a whole number. Write digits only.'],
  ['15504', 'Amount must be no more than $999,999.99'],
])("a quantity of '%s' reads '%s', and Purchase is disabled", async (text, message) => {
  const page = await openPurchase();
  await typeQuantity(page, text);
  expect(screen.getByText(message)).toBeVisible();
  expect(quantity()).toBeInvalid();
  expect(quantity()).toHaveAccessibleDescription(new RegExp(`^${message.replace(/[$.]/g, '\\$&')}`));
  expect(purchase()).toBeDisabled();
  await typeQuantity(page, '50');
  expect(screen.queryByText(message)).not.toBeInTheDocument();
  expect(purchase()).toBeEnabled();
});

test('below the minimum the page says what the least order costs', async () => {
  const page = await openPurchase();
  await typeQuantity(page, '4');
  await page.user.click(screen.getByRole('button', { name: '50 pieces' }));
  expect(quantity()).toHaveValue('50');
  await typeQuantity(page, '4');
  expect(screen.getByText(/cost \$3,225\.00\./)).toBeVisible();
});

test('minus and plus step by 1, never below 0', async () => {
  const page = await openPurchase();
  const plus = screen.getByRole('button', { name: 'Increase quantity by 1' });
  const minus = screen.getByRole('button', { name: 'Decrease quantity by 1' });
  await page.user.click(plus);
  expect(quantity()).toHaveValue('51');
  await page.user.dblClick(minus);
  expect(quantity()).toHaveValue('49');
  await typeQuantity(page, '0');
  await page.user.click(minus);
  expect(quantity()).toHaveValue('0');
});

test('address and phone are required, and focus goes to the first error', async () => {
  const page = await openPurchase();
  await page.user.click(purchase());
  expect(await screen.findByText('Address is Required')).toBeVisible();
  expect(screen.getByText('phone is Required')).toBeVisible();
  expect(address()).toHaveFocus();
  await page.user.type(address(), '12 Oxford Street');
  await page.user.type(phone(), '123');
  expect(await screen.findByText('Must be 5 to 20 digits')).toBeVisible();
  expect(shop.getRequests(placeOrder)).toEqual([]);
});

test('an order is sent with all fields, and the form starts over', async () => {
  const product = aProduct();
  const page = await openPurchase(product);
  shop.answer(placeOrder, { insertedId: 'new' });
  shop.answer(readProduct, { data: { ...product, quantity: 24_680 } });
  const order = anOrder({ _id: 'new', heldUntil: '2026-11-24T14:20:00.000Z' });
  shop.answer(listOrders, { data: [order] });
  await fillDelivery(page);
  await typeQuantity(page, '120');
  expect(total()).toHaveTextContent('$7,740.00');
  await page.user.click(purchase());
  expect(await screen.findByText('Order placed successfully')).toBeVisible();
  expect(shop.getSentBody(placeOrder)).toEqual({
    email: 'amara@repair.example',
    name: 'Amara Okafor',
    address: '12 Oxford Street',
    phone: '233302771204',
    productId: product._id,
    productName: 'OLED display assembly',
    quantity: 120,
    totalPrice: 7740,
    status: 'due',
    image: product.image,
  });
  expect(await screen.findByText(`Order ${order.number} is placed.`)).toBeVisible();
  const notice = screen.getByText(/120 pieces ordered\./).parentElement;
  expect(notice).toHaveTextContent(/It waits for your payment of \$7,740\.00 until/);
  expect(notice).toHaveTextContent(/until 24 Nov 2026, \d\d:\d\d; the pieces go back into stock then\.$/);
  expectLink('See the order', '/dashboard/order/new');
  expect(screen.getByRole('heading', { name: 'Order more of this part' })).toBeVisible();
  expectLink('Pay $7,740.00', '/dashboard/payment/new');
  expect(await screen.findAllByText('24,680')).not.toHaveLength(0);
  expect(address()).toHaveValue('');
  expect(phone()).toHaveValue('');
  expect(quantity()).toHaveValue('50');
  expect(screen.getByRole('heading', { name: 'Your order' })).toHaveFocus();
});

test('your reference is sent with the order', async () => {
  const page = await openPurchase();
  shop.answer(placeOrder, { insertedId: 'new' });
  await page.user.type(screen.getByLabelText('Your reference (optional)'), 'PO 4711');
  await sendOrder(page);
  expect(await screen.findByText('Order placed successfully')).toBeVisible();
  expect(shop.getSentBody(placeOrder)).toMatchObject({ reference: 'PO 4711' });
  expect(screen.getByLabelText('Your reference (optional)')).toHaveValue('');
});

test("a quantity above one payment's limit has no total", async () => {
  const page = await openPurchase();
  await typeQuantity(page, '15504');
  expect(screen.getByText('–', { selector: '[aria-live]' })).toBeVisible();
});

test('pressing Purchase twice sends one order', async () => {
  const page = await openPurchase();
  shop.answer(placeOrder, { insertedId: 'new' });
  const release = shop.hold(placeOrder);
  await fillDelivery(page);
  await page.user.dblClick(purchase());
  expect(await screen.findByRole('button', { name: 'Placing order…' })).toHaveAttribute('aria-busy', 'true');
  release();
  expect(await screen.findByText('Order placed successfully')).toBeVisible();
  expect(shop.getRequests(placeOrder)).toHaveLength(1);
});

test('an unanswered order keeps its key, a changed order gets another', async () => {
  const page = await openPurchase();
  shop.disconnect(placeOrder);
  await sendOrder(page);
  expect(await screen.findByRole('alert')).toHaveTextContent(
    'No answer came. Check the connection and press Purchase again: an order that has already arrived is not placed twice.',
  );
  expect(address()).toHaveValue('12 Oxford Street');
  await page.user.click(purchase());
  await waitFor(() => expect(shop.getRequests(placeOrder)).toHaveLength(2));
  await typeQuantity(page, '60');
  await page.user.click(purchase());
  await waitFor(() => expect(shop.getRequests(placeOrder)).toHaveLength(3));
  const [first, second, third] = shop
    .getRequests(placeOrder)
    .map(({ headers }) => headers.get('idempotency-key'));
  expect(first).toMatch(/^[0-9a-f-]{36}$/);
  expect(second).toBe(first);
  expect(third).not.toBe(first);
});

test('stock taken by others shows its message and disables Purchase', async () => {
  const page = await openPurchase();
  shop.refuse(placeOrder, 'above-stock', {
    quantity: 40,
    errors: [{ path: 'quantity', message: 'maximum order range 40' }],
  });
  await sendOrder(page);
  const alert = await screen.findByRole('alert');
  expect(alert).toHaveTextContent(
    'The order was not placed. Others were faster: too few pieces are left to order.',
  );
  expect(quantity()).toHaveFocus();
  expect(address()).toHaveValue('12 Oxford Street');
  // Fewer pieces than the minimum order are left.
  expect(await screen.findByText('Out of stock')).toBeVisible();
  expect(purchase()).toBeDisabled();
});

test('a changed price shows the new total, and Purchase works again', async () => {
  const product = aProduct();
  const page = await openPurchase(product);
  shop.refuse(placeOrder, 'price-changed', { price: 60 });
  shop.answer(readProduct, { data: { ...product, price: 60 } });
  await sendOrder(page);
  expect(await screen.findByRole('alert')).toHaveTextContent(
    'It is now $60.00 per unit, $3,000.00 in total.',
  );
  expect(total()).toHaveTextContent('$3,000.00');
  shop.answer(placeOrder, { insertedId: 'new' });
  await page.user.click(purchase());
  expect(await screen.findByText('Order placed successfully')).toBeVisible();
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
});

test('a customer without tax sees and sends the net price', async () => {
  const untaxed = { tax: 'exempt', reason: 'a charity' } as const;
  const product = aProduct({ price: 1.03, minimumOrder: 10, priceBreaks: [{ quantity: 20_000, price: 1 }] });
  shop.signIn('user', { ...aUser(), untaxed });
  shop.answer(readProduct, { data: product });
  const page = await openPage(`/purchase/${product._id}`, { taxPercent: 20 });
  expect(await screen.findByText('10 × $0.858333 without tax')).toBeVisible();
  await typeQuantity(page, '10000');
  expect(total()).toHaveTextContent('$8,583.33');
  shop.answer(placeOrder, { insertedId: 'new' });
  await sendOrder(page);
  await waitFor(() => expect(shop.getRequests(placeOrder)[0]?.body).toMatchObject({ totalPrice: 8583.33 }));
});

test('a part no longer sold says so and links to all parts', async () => {
  const page = await openPurchase();
  shop.refuse(placeOrder, 'not-found');
  await sendOrder(page);
  const alert = within(await screen.findByRole('alert'));
  expect(alert.getByText(/This part is no longer sold\./)).toBeVisible();
  expectLink('See All Parts', '/all-products', alert);
});

test("the server's errors for address and phone appear under their fields", async () => {
  const page = await openPurchase();
  shop.refuse(placeOrder, 'invalid', {
    errors: [{ path: 'address', message: 'Must be no more than 500 characters' }],
  });
  await sendOrder(page);
  expect(await screen.findByText('Must be no more than 500 characters')).toBeVisible();
  expect(address()).toHaveFocus();
});

test('a failure with unknown outcome says so and shows its reference', async () => {
  const page = await openPurchase();
  shop.refuse(placeOrder, 'internal', { requestId: '0198c2f4-ffff' });
  await sendOrder(page);
  const alert = await screen.findByRole('alert');
  expect(alert).toHaveTextContent(
    'No answer came. Something went wrong on our side. Press Purchase again: an order that has already arrived is not placed twice. Your entries are kept.',
  );
  expect(alert).toHaveTextContent('Reference 0198c2f4-ffff');
  shop.respond(placeOrder, () => new Response('Bad gateway', { status: 502 }));
  await page.user.click(purchase());
  await waitFor(() => expect(screen.getByRole('alert')).not.toHaveTextContent('Reference'));
  expect(screen.getByRole('alert')).toHaveTextContent('No answer came.');
});

test('an overloaded server shows its delay, and the button counts down', async () => {
  const page = await openPurchase();
  shop.refuse(placeOrder, 'overloaded', { retryAfter: 1, requestId: '0198c2f4-1111' });
  await sendOrder(page);
  expect(await screen.findByRole('alert')).toHaveTextContent(
    /Try again in 1 seconds; your entries are kept\. *Reference 0198c2f4-1111/,
  );
  const waiting = screen.getByRole('button', { name: 'Purchase in 1 s' });
  expect(waiting).toHaveAttribute('aria-disabled', 'true');
  await page.user.click(waiting);
  expect(shop.getRequests(placeOrder)).toHaveLength(1);
  expect(await screen.findByRole('button', { name: 'Purchase' }, { timeout: 2000 })).toBeEnabled();
});

test('an expired session leads to /login and back to the entries', async () => {
  const product = aProduct();
  const page = await openPurchase(product);
  await fillDelivery(page);
  await typeQuantity(page, '75');
  shop.refuse(placeOrder, 'sign-in-needed');
  shop.identityUser = null;
  await page.user.click(purchase());
  await waitFor(() => expect(page.getAddress()).toBe(`/login?from=%2Fpurchase%2F${product._id}`));
  expect(
    await screen.findByText('Your session has ended. Log in again to continue where you left off.'),
  ).toBeVisible();
  await openPurchase(product);
  expect(address()).toHaveValue('12 Oxford Street');
  expect(phone()).toHaveValue('233302771204');
  expect(quantity()).toHaveValue('75');
});

test('a part with less stock than its minimum order cannot be ordered', async () => {
  await openPurchase(aProduct({ quantity: 40, kind: 'Displays' }));
  expect(screen.getByText('Out of stock')).toBeVisible();
  expectLink('See All Displays', '/all-products?kind=Displays');
  expect(screen.getAllByText(/This part can be ordered again when stock arrives\./)).toHaveLength(1);
  expect(quantity()).not.toHaveAccessibleDescription(/ordered again/);
  expect(quantity()).toBeDisabled();
  expect(purchase()).toBeDisabled();
  expect(screen.queryByText('Total price')).not.toBeInTheDocument();
});

test("an administrator sees the form disabled with 'Administrators cannot place orders.'", async () => {
  await openPurchase(aProduct(), aUser({ role: 'admin' }));
  expect(await screen.findByText('Administrators cannot place orders.')).toBeVisible();
  for (const field of [address(), phone(), quantity()]) expect(field).toBeDisabled();
  expect(purchase()).toBeDisabled();
});

test('an offline browser sends nothing, and the page says why', async () => {
  const page = await openPurchase();
  await fillDelivery(page);
  Object.defineProperty(navigator, 'onLine', { value: false, configurable: true });
  window.dispatchEvent(new Event('offline'));
  expect(await screen.findByText(/You are offline\./)).toBeVisible();
  expect(purchase()).toHaveAttribute('aria-disabled', 'true');
  await page.user.click(purchase());
  expect(shop.getRequests(placeOrder)).toEqual([]);
  Reflect.deleteProperty(navigator, 'onLine');
  window.dispatchEvent(new Event('online'));
  await waitFor(() => expect(purchase()).not.toHaveAttribute('aria-disabled'));
});

test('an unconfirmed address offers a new link and keeps the entries', async () => {
  const page = await openPurchase();
  shop.refuse(placeOrder, 'email-not-verified');
  await sendOrder(page);
  expect(await screen.findByText('Confirm your address first.')).toBeVisible();
  shop.answer(sendVerificationMail, { verified: false, mailed: true, nextInSeconds: 60 });
  await page.user.click(screen.getByRole('button', { name: 'Send the link again' }));
  expect(await screen.findByText(/A link is on its way to amara@repair.example/)).toBeVisible();
  expect(shop.getRequests(sendVerificationMail)[0]?.params.email).toBe('amara@repair.example');
  expect(address()).toHaveValue('12 Oxford Street');
});

const broken = {
  priceBreaks: [
    { quantity: 500, price: 61.2 },
    { quantity: 5000, price: 57.9 },
  ],
};

test('Price Per Unit is the applicable price, and the order uses it', async () => {
  const page = await openPurchase(aProduct(broken));
  await typeQuantity(page, '600');
  const sheet = within(screen.getByRole('article'));
  expect(sheet.getByText('Price Per Unit', { selector: 'dt' }).nextSibling).toHaveTextContent('$61.20');
  expect(screen.getByRole('row', { current: true })).toHaveTextContent('from 500');
  expect(screen.getByText('600 × $61.20')).toBeVisible();
  expect(screen.getByText('Each piece is $61.20 from 500 pieces on.')).toBeVisible();
  shop.answer(placeOrder, { insertedId: 'new' });
  await sendOrder(page);
  await waitFor(() => expect(shop.getRequests(placeOrder)).toHaveLength(1));
  expect(shop.getSentBody(placeOrder)).toMatchObject({ quantity: 600, totalPrice: 36_720 });
});

test('a changed price with breaks reloads all prices', async () => {
  const product = aProduct(broken);
  const page = await openPurchase(product);
  await typeQuantity(page, '600');
  shop.refuse(placeOrder, 'price-changed', { price: 62 });
  shop.answer(readProduct, { data: { ...product, priceBreaks: [{ quantity: 500, price: 62 }] } });
  await sendOrder(page);
  expect(await screen.findByRole('alert')).toHaveTextContent(
    'It is now $62.00 per unit, $37,200.00 in total.',
  );
  expect(total()).toHaveTextContent('$37,200.00');
});

test('a stock change while typing offers the remaining pieces', async () => {
  const product = aProduct({ orderStep: 25, ...broken });
  const page = await openPurchase(product);
  await typeQuantity(page, '475');
  await waitFor(() => expect(streams.getOpen()).toHaveLength(1));
  const { _id, price, priceBreaks } = product;
  streams.getOpen()[0]?.send('product', { _id, price: price + 1, priceBreaks, quantity: 420 });
  expect(total()).toHaveTextContent('$30,637.50');
  expect(await screen.findByText('The stock changed: 420 left.', { exact: false })).toBeVisible();
  expect(screen.getByText(/^maximum order range 420/)).toBeVisible();
  expect(purchase()).toBeDisabled();
  await page.user.click(screen.getByRole('button', { name: '400' }));
  expect(purchase()).toBeEnabled();
});

test('a quantity above the stock names alternatives and the expected day', async () => {
  const product = aProduct({ quantity: 60, expectedAt: '2999-12-12' });
  const other = aProduct({ name: 'LCD display' });
  const instead = [{ product: other, fits: 0, of: 0, quantity: 120 }];
  shop.answer(readInstead, { data: { product, instead } });
  const page = await openPurchase(product);
  expect(screen.queryByText(/^More is expected/)).not.toBeInTheDocument();
  await typeQuantity(page, '120');
  expect(await screen.findByText('More is expected on 12 December 2999.')).toBeVisible();
  expect(await screen.findByRole('group', { name: 'What fits instead' })).toHaveTextContent('LCD display');
});

test('a part deleted while typing cannot be ordered', async () => {
  const product = aProduct();
  const instead = [{ product: aProduct({ name: 'LCD display' }), fits: 0, of: 0, quantity: 50 }];
  shop.answer(readInstead, { data: { product, gone: true, instead } });
  const page = await openPurchase(product);
  // More than any shop has.
  await typeQuantity(page, '12345678901');
  await waitFor(() => expect(streams.getOpen()).toHaveLength(1));
  streams.getOpen()[0]?.send('gone', { _id: product._id });
  expect(screen.getByText(/This part is no longer sold\./)).toBeVisible();
  expect(shop.getRequests(readInstead).at(-1)?.query.get('quantity')).toBe('100000000');
  expect(await screen.findByRole('link', { name: 'LCD display' })).toBeVisible();
  expect(purchase()).toBeDisabled();
});

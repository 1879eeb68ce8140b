import { joinBatch } from '@parts-forge/contract/orders/batch';
import { listOrders } from '@parts-forge/contract/orders/orders';
import { readUser } from '@parts-forge/contract/people/users';
import { readInstead } from '@parts-forge/contract/products/instead';
import { EDITED_FIELDS, fieldFacts } from '@parts-forge/contract/products/product-fields';
import { listProducts, type Product, readProduct } from '@parts-forge/contract/products/products';
import { readWish } from '@parts-forge/contract/products/wishes';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { aBatchLine, anOrder, aProduct } from '#test/builders.ts';
import { expectLink } from '#test/expect-link.ts';
import { fakeEventSources } from '#test/fake-event-source.ts';
import { startFakeShop } from '#test/fake-shop.ts';
import { type OpenPage, openPage } from '#test/open-page.tsx';

const shop = startFakeShop();
const streams = fakeEventSources();

const stepped = {
  orderStep: 25,
  priceBreaks: [
    { quantity: 500, price: 61.2 },
    { quantity: 5000, price: 57.9 },
  ],
};
const quantity = () => screen.getByLabelText('Quantity');
const total = () => screen.getByText(/^\$[\d,]+\.\d\d$/, { selector: '[aria-live]' });
const orderNow = () => within(screen.getByRole('region', { name: 'Order' })).getByText('Order Now');

async function openPart(wanted: Partial<Product> = {}, hash = ''): Promise<OpenPage & { part: Product }> {
  const part = aProduct({ ...stepped, ...wanted });
  shop.answer(readProduct, { data: part });
  shop.answer(readInstead, { data: { product: part, instead: [] } });
  shop.answer(listProducts, [part, aProduct({ name: 'Another display' })]);
  const page = await openPage(`/products/${part._id}/oled-display-assembly${hash}`);
  await screen.findByRole('heading', { level: 1, name: part.name });
  return { ...page, part };
}

async function type({ user }: OpenPage, text: string) {
  await user.clear(quantity());
  await user.type(quantity(), text);
}

const findStream = async () => {
  await waitFor(() => expect(streams.getOpen()).toHaveLength(1));
  const [stream] = streams.getOpen();
  if (!stream) throw new Error('The page watches nothing.');
  return stream;
};

test("the page says all that a part's seller promises", async () => {
  const promises = EDITED_FIELDS.filter((field) => fieldFacts[field].cell === 'promise');
  await openPart(Object.fromEntries(promises.map((field) => [field, 4])));
  const terms = screen.getAllByRole('term').map(({ textContent }) => textContent);
  for (const field of promises) expect(terms).toContain(fieldFacts[field].label);
});

test('a part suggests the cheapest other kinds for its first model', async () => {
  const part = aProduct({ fits: ['Norda 12', 'Kite A3'] });
  const fixings = ['Screws', 'Gaskets', 'Clips', 'Tape'].map((name) =>
    aProduct({ name, kind: 'Fixings', quantity: name === 'Clips' ? 0 : 5000, expectedAt: '2999-12-12' }),
  );
  shop.answer(readProduct, { data: part });
  shop.respond(listProducts, ({ query }) =>
    Response.json(
      query.get('fits') === 'Norda 12' && query.get('sort') === 'price'
        ? [aProduct({ name: 'Cheap display' }), ...fixings]
        : [],
    ),
  );
  await openPage(`/products/${part._id}/oled-display-assembly`);
  const region = within(await screen.findByRole('region', { name: 'Goes with' }));
  expect(region.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual([
    'Screws',
    'Gaskets',
    'Clips',
  ]);
  const [soldOut, ...others] = region.getAllByText('Out of stock');
  expect(others).toEqual([]);
  expect(soldOut?.closest('li')).toHaveTextContent('Clips');
  expect(await region.findAllByText('expected 12 December 2999')).toHaveLength(1);
});

test('a part has pictures, facts, models, prices and related parts', async () => {
  const page = await openPart({
    images: ['/images/a.webp', '/images/b.webp'],
    attributes: [{ name: 'Density', value: '460 ppi' }],
    fits: ['Norda 12', 'Kite A3'],
  });
  expect(screen.getByText('460 ppi')).toBeVisible();
  expect(screen.getByText('Kite A3')).toBeVisible();
  const related = within(screen.getByRole('region', { name: 'Related parts' }));
  expect(related.getByRole('link', { name: 'Another display' })).toBeVisible();
  expect(screen.getByRole('img', { name: page.part.name })).toBeVisible();
  const second = screen.getByRole('button', { name: 'Picture 2 of 2' });
  await page.user.click(second);
  expect(second).toHaveAttribute('aria-pressed', 'true');
  expect(screen.getByRole('img', { name: `${page.part.name}, picture 2` })).toBeVisible();
  const code = screen.getByRole('link', { name: 'QR code' });
  expect(code).toHaveAttribute('href', `/products/${page.part._id}/qr.svg`);
  expect(code).toHaveAttribute('download', `${page.part.number}.svg`);
});

test.each([
  [200, 'As you ordered last', 'Add 200 to batch'],
  [null, 'Minimum order', 'Add 50 to batch'],
])('a label offers the quantity ordered last, or the minimum: %s', async (quantity, why, act) => {
  shop.signIn();
  shop.answer(listOrders, { data: quantity === null ? [] : [anOrder({ quantity })] });
  const { user, part } = await openPart({}, '#label');
  expect(await screen.findByText(why)).toBeVisible();
  expect(Object.fromEntries(shop.getRequests(listOrders)[0]?.query ?? [])).toMatchObject({
    product: part._id,
    limit: '1',
  });
  shop.answer(joinBatch, { data: [aBatchLine(), aBatchLine(), aBatchLine()], left: [] });
  await user.click(screen.getByRole('button', { name: act }));
  const added = await screen.findByText('Added, 3 lines in the batch');
  await waitFor(() => expect(added).toHaveFocus());
  expect(shop.getSentBody(joinBatch)).toMatchObject({
    lines: [{ productId: part._id, quantity: quantity ?? 50 }],
  });
  expect(screen.queryByRole('button', { name: act })).not.toBeInTheDocument();
  expectLink('Open batch', '/dashboard/batch');
});

test('a label without stock leads to what can be done', async () => {
  shop.signIn();
  shop.answer(listOrders, { data: [] });
  shop.answer(readWish, { waiting: false });
  const { user } = await openPart({ quantity: 0, expectedAt: '2999-12-12' }, '#label');
  expect(await screen.findByText('Out of stock. More is expected on 12 December 2999')).toBeVisible();
  Element.prototype.scrollIntoView = vi.fn();
  await user.click(await screen.findByRole('button', { name: 'See what you can do' }));
  expect(screen.getByRole('heading', { name: 'Order' })).toHaveFocus();
  expect(await screen.findByRole('button', { name: 'Tell me when it is back' })).toBeVisible();
});

test('a label names a stock that is short of the last order', async () => {
  shop.signIn();
  shop.answer(listOrders, { data: [anOrder({ quantity: 200 })] });
  await openPart({ quantity: 100, expectedAt: '2999-12-12' }, '#label');
  expect(await screen.findByText('Only 100 in stock. More is expected on 12 December 2999')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Add 200 to batch' })).toBeVisible();
});

test('a label offers a visitor and an administrator no quantity', async () => {
  await openPart({}, '#label');
  shop.signIn('admin');
  await openPart({}, '#label');
  await waitFor(() => expect(shop.getRequests(readUser)).not.toEqual([]));
  expect(shop.getRequests(listOrders)).toEqual([]);
});

test('a price break applies to all pieces; Order Now keeps the quantity', async () => {
  const page = await openPart();
  expect(orderNow()).toHaveAttribute('href', `/purchase/${page.part._id}?quantity=50`);
  await type(page, '600');
  expect(total()).toHaveTextContent('$36,720.00');
  expect(screen.getByRole('row', { current: true })).toHaveTextContent('from 500, applies now$61.20');
  expect(orderNow()).toHaveAttribute('href', `/purchase/${page.part._id}?quantity=600`);
});

test('a quantity below a cheaper break offers the break', async () => {
  const page = await openPart();
  await type(page, '475');
  expect(screen.getByText(/cost \$30,600\.00/).parentElement?.textContent).toBe(
    '500 pieces cost $30,600.00, $37.50 less than 475, as each is $61.20.',
  );
  await page.user.click(screen.getByRole('button', { name: '500 pieces' }));
  expect(quantity()).toHaveValue('500');
  expect(quantity()).toHaveFocus();
});

test('a quantity off the steps offers the two nearest, and stays unordered', async () => {
  const page = await openPart();
  await type(page, '490');
  expect(screen.getByText(/Please order in steps of 25/).parentElement?.textContent).toBe(
    'Please order in steps of 25: 475 or 500.',
  );
  for (const name of ['Order Now', 'Add to batch']) {
    const button = within(screen.getByRole('region', { name: 'Order' })).getByRole('button', { name });
    expect(button).toHaveAttribute('aria-disabled', 'true');
    await page.user.click(button);
    expect(quantity()).toHaveFocus();
  }
  expect(page.getAddress()).toBe(`/products/${page.part._id}/oled-display-assembly`);
  await page.user.click(screen.getByRole('button', { name: '475' }));
  expect(quantity()).toHaveValue('475');
});

test('minus and plus go to the next step', async () => {
  const page = await openPart();
  await page.user.click(screen.getByRole('button', { name: 'Increase quantity by 25' }));
  expect(quantity()).toHaveValue('75');
  await page.user.click(screen.getByRole('button', { name: 'Decrease quantity by 25' }));
  expect(quantity()).toHaveValue('50');
});

test('a falling stock keeps the quantity and offers the remaining pieces', async () => {
  const page = await openPart();
  const { _id, price, priceBreaks } = page.part;
  const stream = await findStream();
  expect(stream.url).toBe(`/live?products=${_id}`);
  stream.send('product', { _id, price, priceBreaks, quantity: 24_800 });
  expect(screen.getByText('Live')).toBeVisible();
  await type(page, '475');
  stream.send('product', { _id, price, priceBreaks, quantity: 420 });
  expect(screen.getByText('420')).toHaveClass('pf-changed');
  expect(quantity()).toHaveValue('475');
  expect(screen.getByText(/^maximum order range 420/).parentElement?.textContent).toBe(
    'maximum order range 420The stock changed: 420 left. Take 400.',
  );
  expect(screen.getAllByText('above stock')).toHaveLength(2);
  expect(await screen.findByText('420 in stock now.')).toBeInTheDocument();
  await page.user.click(screen.getByRole('button', { name: '400' }));
  expect(quantity()).toHaveValue('400');
  await waitFor(() => expect(screen.getByText('420')).not.toHaveClass('pf-changed'));
});

test('a part that sells out while open leads to its kind', async () => {
  const { part } = await openPart({ kind: 'Displays' });
  const { _id, price, priceBreaks } = part;
  (await findStream()).send('product', { _id, price, priceBreaks, quantity: 40 });
  expect(screen.getByText('Out of stock')).toBeVisible();
  expect(screen.getByText(/Fewer pieces are left than the minimum order of 50/)).toBeVisible();
  expect(screen.queryByLabelText('Quantity')).not.toBeInTheDocument();
  expectLink('See All Displays', '/all-products?kind=Displays');
});

test('a part without stock names what fits instead, and the expected day', async () => {
  const { part } = await openPart({ expectedAt: '2999-12-12', fits: ['Norda 12', 'Ovo 7'] });
  const other = aProduct({ name: 'LCD display', fits: ['Norda 12'], price: 32.4 });
  const instead = [{ product: other, fits: 1, of: 2, quantity: 50 }];
  shop.answer(readInstead, { data: { product: part, instead } });
  const { _id, price, priceBreaks } = part;
  (await findStream()).send('product', { _id, price, priceBreaks, quantity: 40 });
  expect(await screen.findByText('More is expected on 12 December 2999.')).toBeVisible();
  const group = within(await screen.findByRole('group', { name: 'What fits instead' }));
  expect(group.getByRole('listitem')).toHaveTextContent('fits 1 of 2 modelsnot Ovo 7$32.40−$32.10');
  expectLink('LCD display', `/products/${other._id}/lcd-display`);
});

test('more pieces than the stock name alternatives and the expected day', async () => {
  const page = await openPart({ quantity: 60, expectedAt: '2999-12-12', fits: ['Norda 12'] });
  const other = aProduct({ name: 'LCD display', fits: ['Norda 12'] });
  const instead = [{ product: other, fits: 1, of: 1, quantity: 120 }];
  shop.answer(readInstead, { data: { product: page.part, instead } });
  await type(page, '120');
  expect(await screen.findByText('More is expected on 12 December 2999.')).toBeVisible();
  expect(await screen.findByRole('group', { name: 'What fits instead' })).toHaveTextContent('LCD display');
  expect(shop.getRequests(readInstead).at(-1)?.query.get('quantity')).toBe('120');
  await type(page, '60');
  expect(screen.queryByRole('group', { name: 'What fits instead' })).not.toBeInTheDocument();
});

test('a part deleted while its page is open reads as not sold', async () => {
  const { part } = await openPart();
  (await findStream()).send('gone', { _id: part._id });
  expect(screen.getByText('This part is no longer sold.')).toBeVisible();
  expect(screen.queryByText('Add to batch')).not.toBeInTheDocument();
});

test('a lost connection shows its time and keeps the figures', async () => {
  vi.useFakeTimers({ now: new Date(2026, 10, 22, 14, 2), toFake: ['Date'] });
  const { part } = await openPart();
  const stream = await findStream();
  stream.send('product', part);
  stream.break();
  expect(screen.getByText('As of 14:02')).toHaveAttribute('data-live', 'false');
  expect(screen.getByText('24,800')).toBeVisible();
  stream.send('product', part);
  expect(screen.getByText('Live')).toBeVisible();
});

test('a refused stream reconnects at once when the browser is online again', async () => {
  await openPart();
  (await findStream()).refuse();
  expect(screen.getByText(/^As of /)).toBeVisible();
  expect(streams.getOpen()).toEqual([]);
  window.dispatchEvent(new Event('online'));
  await findStream();
});

test('a hidden window closes the stream', async () => {
  await openPart();
  const visibility = vi.spyOn(document, 'visibilityState', 'get');
  await findStream();
  visibility.mockReturnValue('hidden');
  document.dispatchEvent(new Event('visibilitychange'));
  expect(streams.getOpen()).toEqual([]);
  visibility.mockReturnValue('visible');
  document.dispatchEvent(new Event('visibilitychange'));
  await findStream();
});

test('a visitor adds a part to the batch', async () => {
  const page = await openPart();
  await type(page, '75');
  await page.user.click(screen.getByRole('button', { name: 'Add to batch' }));
  expect(await screen.findByText(/75 pieces added to the batch\./)).toBeVisible();
  await page.user.tab();
  const way = within(screen.getByRole('main')).getByRole('link', { name: 'Open batch, 1 line' });
  expect(way).toHaveFocus();
  expect(way).toHaveAttribute('href', '/dashboard/batch');
});

test('an unknown part shows the not-found page', async () => {
  shop.refuse(readProduct, 'not-found');
  shop.refuse(readInstead, 'not-found');
  await openPage('/products/unknown/part');
  expect(await screen.findByRole('link', { name: 'Take Me Home' })).toBeVisible();
});

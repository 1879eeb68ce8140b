import { deleteProduct, listProducts } from '@parts-forge/contract/products';
import { changeStock } from '@parts-forge/contract/stock';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { aProduct } from '#app/dev/builders.ts';
import { startFakeShop } from '#test/fake-shop.ts';
import { openPage } from '#test/open-page.tsx';

const shop = startFakeShop();

async function openManageProducts() {
  shop.signIn('admin');
  const page = await openPage('/dashboard/manage-products');
  await screen.findByRole('heading', { level: 1, name: 'My Orders' });
  return page;
}
const row = (name: string) => screen.findByRole('row', { name: new RegExp(name) });

test("the heading reads 'My Orders', the title and the line above it Manage Products", async () => {
  shop.answerPage(listProducts, [], '0');
  await openManageProducts();
  expect(document.title).toBe('Manage Products · Parts Forge');
  expect(await screen.findByText('No products yet')).toBeVisible();
});

test('products are listed with price, stock and minimum order; one with too little stock says so', async () => {
  shop.answerPage(
    listProducts,
    [aProduct({ name: 'Display' }), aProduct({ name: 'Battery', quantity: 40 })],
    '2',
  );
  await openManageProducts();
  const display = within(await row('Display'));
  for (const text of ['$64.50', '24,800', '50']) expect(display.getByText(text)).toBeVisible();
  expect(within(await row('Battery')).getByText('Out of stock')).toBeVisible();
});

test("a product is deleted after a question, with 'product deleted successfully '", async () => {
  const product = aProduct();
  shop.answerPage(listProducts, [product], '1');
  const { user } = await openManageProducts();
  await user.click(await screen.findByRole('button', { name: 'Delete OLED display assembly' }));
  const question = screen.getByRole('dialog', { name: 'Delete this product?' });
  expect(within(question).getByRole('button', { name: 'Keep product' })).toHaveFocus();
  shop.answer(deleteProduct, { deletedCount: 1 });
  shop.answerPage(listProducts, [], '0');
  await user.click(within(question).getByRole('button', { name: 'Delete product' }));
  const toast = await screen.findByText('product deleted successfully');
  expect(toast.textContent).toBe('product deleted successfully ');
  expect(await screen.findByText('No products yet')).toBeVisible();
});

test('a stock is set to whole numbers from 0 on', async () => {
  const product = aProduct();
  shop.answerPage(listProducts, [product], '1');
  const { user } = await openManageProducts();
  await user.click(await screen.findByRole('button', { name: 'Restock OLED display assembly' }));
  const dialog = within(screen.getByRole('dialog', { name: 'Set stock level' }));
  const quantity = dialog.getByLabelText('Quantity');
  const update = dialog.getByRole('button', { name: 'Update stock' });
  expect(quantity).toHaveValue(24_800);
  expect(quantity).toHaveAttribute('min', '0');
  for (const [text, message] of [
    ['', 'quantity is Required'],
    ['1.5', 'Must be a whole number'],
    ['-1', 'Must be at least 0'],
  ] as const) {
    await user.clear(quantity);
    if (text) await user.type(quantity, text);
    await user.click(update);
    expect(await dialog.findByText(message)).toBeVisible();
  }
  await user.clear(quantity);
  await user.type(quantity, '31000');
  shop.answer(changeStock, { data: { ...product, quantity: 31_000 } });
  shop.answerPage(listProducts, [{ ...product, quantity: 31_000 }], '1');
  await user.click(update);
  expect(await screen.findByText('OLED display assembly: 31,000 in stock')).toBeVisible();
  expect(shop.getSentBody(changeStock)).toEqual({ set: 31_000, was: 24_800, reason: 'restock' });
  expect(within(await row('OLED')).getByText('31,000')).toBeVisible();
});

test('a restock that fails names the failure in the dialog, beside the number that was typed', async () => {
  shop.answerPage(listProducts, [aProduct()], '1');
  const { user } = await openManageProducts();
  await user.click(await screen.findByRole('button', { name: 'Restock OLED display assembly' }));
  shop.refuse(changeStock, 'internal', { requestId: '0198c2f4-9999' });
  await user.click(screen.getByRole('button', { name: 'Update stock' }));
  const alert = await within(screen.getByRole('dialog', { name: 'Set stock level' })).findByRole('alert');
  expect(alert).toHaveTextContent('Something went wrong on our side. Try again.');
  expect(alert).toHaveTextContent('Reference 0198c2f4-9999');
  expect(screen.getByLabelText('Quantity')).toHaveValue(24_800);
});

test('a product that is gone meanwhile closes the dialog and has a notice in the place of its row', async () => {
  shop.answerPage(listProducts, [aProduct()], '1');
  const { user } = await openManageProducts();
  await user.click(await screen.findByRole('button', { name: 'Restock OLED display assembly' }));
  shop.refuse(changeStock, 'not-found');
  shop.answerPage(listProducts, [], '0');
  await user.click(screen.getByRole('button', { name: 'Update stock' }));
  expect(await screen.findByRole('alert')).toHaveTextContent(
    'OLED display assembly: This is not there any more.',
  );
  expect(screen.queryByRole('dialog', { name: 'Set stock level' })).not.toBeInTheDocument();
});

test('a stock that moved while the number was typed is not overwritten, but shown', async () => {
  const product = aProduct();
  shop.answerPage(listProducts, [product], '1');
  const { user } = await openManageProducts();
  await user.click(await screen.findByRole('button', { name: 'Restock OLED display assembly' }));
  const dialog = within(screen.getByRole('dialog', { name: 'Set stock level' }));
  await user.clear(dialog.getByLabelText('Quantity'));
  await user.type(dialog.getByLabelText('Quantity'), '20000');
  shop.refuse(changeStock, 'stock-changed', { quantity: 12_100 });
  await user.click(dialog.getByRole('button', { name: 'Update stock' }));
  expect(await dialog.findByRole('alert')).toHaveTextContent(
    'The stock changed meanwhile: 12,100 now. Look at your number, then press Update stock again.',
  );
  expect(dialog.getByText('12,100 in stock')).toBeVisible();
  expect(dialog.getByLabelText('Quantity')).toHaveValue(20_000);
  shop.answer(changeStock, { data: { ...product, quantity: 20_000 } });
  await user.click(dialog.getByRole('button', { name: 'Update stock' }));
  expect(await screen.findByText('OLED display assembly: 20,000 in stock')).toBeVisible();
  const sent = shop.getRequests(changeStock);
  expect(sent.map(({ body }) => body)).toMatchObject([{ was: 24_800 }, { was: 12_100 }]);
  expect(new Set(sent.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(2);
});

test('the same stock sent again after a broken connection has the same key', async () => {
  const product = aProduct();
  shop.answerPage(listProducts, [product], '1');
  const { user } = await openManageProducts();
  await user.click(await screen.findByRole('button', { name: 'Restock OLED display assembly' }));
  const update = screen.getByRole('button', { name: 'Update stock' });
  shop.disconnect(changeStock);
  await user.click(update);
  expect(await screen.findByText('The server did not answer. Try again.')).toBeVisible();
  shop.answer(changeStock, { data: product });
  await user.click(update);
  expect(await screen.findByText('OLED display assembly: 24,800 in stock')).toBeVisible();
  const keys = shop.getRequests(changeStock).map(({ headers }) => headers.get('idempotency-key'));
  expect(keys).toEqual([keys[0], keys[0]]);
});

test('a stock of 0 is asked about before it is set', async () => {
  const product = aProduct();
  shop.answerPage(listProducts, [product], '1');
  const { user } = await openManageProducts();
  await user.click(await screen.findByRole('button', { name: 'Restock OLED display assembly' }));
  const quantity = screen.getByLabelText('Quantity');
  await user.clear(quantity);
  await user.type(quantity, '0');
  await user.click(screen.getByRole('button', { name: 'Update stock' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('With 0 in stock nobody can order this part.');
  expect(shop.getRequests(changeStock)).toEqual([]);
  await user.type(quantity, '5');
  expect(screen.getByRole('button', { name: 'Update stock' })).toBeVisible();
  await user.clear(quantity);
  await user.type(quantity, '0');
  await user.click(screen.getByRole('button', { name: 'Update stock' }));
  shop.answer(changeStock, { data: { ...product, quantity: 0 } });
  await user.click(await screen.findByRole('button', { name: 'Set stock to 0' }));
  expect(await screen.findByText('OLED display assembly: 0 in stock')).toBeVisible();
  expect(shop.getSentBody(changeStock)).toEqual({ set: 0, was: 24_800, reason: 'correction' });
});

test('products are searched in the address, and a name leads to the fields of the part', async () => {
  const product = aProduct({ number: 'PF-D6101' });
  shop.respond(listProducts, ({ query }) =>
    Response.json(query.get('q') === 'nothing' ? [] : [product], { headers: { 'x-total-count': '1' } }),
  );
  const { user, getAddress } = await openManageProducts();
  expect(await screen.findByRole('link', { name: 'OLED display assembly' })).toHaveAttribute(
    'href',
    `/dashboard/manage-products/${product._id}`,
  );
  expect(screen.getByText('PF-D6101')).toBeVisible();
  await user.type(screen.getByRole('searchbox', { name: 'Search products' }), 'nothing');
  expect(await screen.findByText('No products match')).toBeVisible();
  expect(getAddress()).toBe('/dashboard/manage-products?q=nothing');
  await user.click(screen.getByRole('button', { name: 'Clear search' }));
  expect(await row('OLED')).toBeVisible();
  expect(getAddress()).toBe('/dashboard/manage-products');
});

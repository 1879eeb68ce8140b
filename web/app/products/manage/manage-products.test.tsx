import {
  applyImport,
  type Import,
  importProducts,
  readImport,
} from '@parts-forge/contract/products/catalogue';
import { deleteProduct, listProducts, type Product } from '@parts-forge/contract/products/products';
import { changeStock } from '@parts-forge/contract/products/stock';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { aProduct } from '#test/builders.ts';
import { expectLink } from '#test/expect-link.ts';
import { startFakeShop } from '#test/fake-shop.ts';
import { openPage } from '#test/open-page.tsx';
import { openRowMenu } from '#test/row-menu.ts';

const shop = startFakeShop();

/** @param parts of the list; without them the test answers it */
async function openManageProducts(parts?: Product[]) {
  shop.signIn('admin');
  if (parts) shop.answerPage(listProducts, parts, String(parts.length));
  const page = await openPage('/dashboard/manage-products');
  await screen.findByRole('heading', { level: 1, name: 'My Orders' });
  return page;
}
const row = (name: string) => screen.findByRole('row', { name: new RegExp(name) });

test("the heading reads 'My Orders', the title Manage Products", async () => {
  await openManageProducts([]);
  expect(document.title).toBe('Manage Products · Parts Forge');
  expect(await screen.findByText('No products yet')).toBeVisible();
});

test('products are listed with price, stock and minimum; low stock is marked', async () => {
  shop.answerPage(
    listProducts,
    [
      aProduct({ name: 'Display', expectedAt: '2999-12-24' }),
      aProduct({ name: 'Battery', quantity: 40, expectedAt: '2999-12-12' }),
    ],
    '2',
  );
  await openManageProducts();
  const display = within(await row('Display'));
  for (const text of ['$64.50', '24,800', '50']) expect(display.getByText(text)).toBeVisible();
  expect(within(await row('Battery')).getByText('Out of stock')).toBeVisible();
  // Of a part that can be ordered, the day is no matter.
  expect(await screen.findAllByText(/^expected/)).toEqual([screen.getByText('expected 12 December 2999')]);
});

test("a product is deleted after a question, with 'product deleted successfully '", async () => {
  const product = aProduct();
  const { user } = await openManageProducts([product]);
  await openRowMenu(user);
  await user.click(screen.getByRole('button', { name: 'Delete OLED display assembly' }));
  const question = screen.getByRole('dialog', { name: 'Delete this product?' });
  expect(within(question).getByRole('button', { name: 'Keep product' })).toHaveFocus();
  shop.answer(deleteProduct, { deletedCount: 1 });
  shop.answerPage(listProducts, [], '0');
  await user.click(within(question).getByRole('button', { name: 'Delete product' }));
  const toast = await screen.findByText('product deleted successfully');
  expect(toast.textContent).toBe('product deleted successfully ');
  expect(await screen.findByText('No products yet')).toBeVisible();
});

/** Opens the Restock dialog of a product; `total` switches to the one that sets a new total. */
async function openStock(way: 'add' | 'total', product = aProduct()) {
  const { user } = await openManageProducts([product]);
  await user.click(await screen.findByRole('button', { name: 'Restock OLED display assembly' }));
  if (way === 'add')
    return { user, product, dialog: within(screen.getByRole('dialog', { name: 'Restock' })) };
  await user.click(screen.getByRole('button', { name: 'Set the total instead' }));
  return { user, product, dialog: within(screen.getByRole('dialog', { name: 'Correct the stock' })) };
}

type StockPage = Awaited<ReturnType<typeof openStock>>;
const count = async ({ user, dialog }: Pick<StockPage, 'user' | 'dialog'>, pieces: string) => {
  await user.clear(dialog.getByLabelText('Counted pieces'));
  await user.type(dialog.getByLabelText('Counted pieces'), pieces);
};
const getKeys = () => shop.getRequests(changeStock).map(({ headers }) => headers.get('idempotency-key'));

test('Restock adds pieces to the current stock', async () => {
  const { user, product, dialog } = await openStock('add');
  expect(dialog.getByLabelText('Pieces to add')).toHaveFocus();
  expect(dialog.getByLabelText('Pieces to add')).toHaveAttribute('min', '1');
  expect(dialog.queryByText('Quantity is Required')).toBeNull();
  expect(dialog.getByText('24,800 in stock')).toBeVisible();
  await user.type(dialog.getByLabelText('Pieces to add'), '500');
  expect(dialog.getByText('500 more: 24,800 → 25,300')).toBeVisible();
  shop.answer(changeStock, { data: { ...product, quantity: 25_300 } });
  shop.answerPage(listProducts, [{ ...product, quantity: 25_300 }], '1');
  await user.click(dialog.getByRole('button', { name: 'Add 500' }));
  expect(await screen.findByText('OLED display assembly: 25,300 in stock')).toBeVisible();
  expect(shop.getSentBody(changeStock)).toEqual({ add: 500, reason: 'restock' });
  expect(within(await row('OLED')).getByText('25,300')).toBeVisible();
});

test('a new total is a whole number from 0 on', async () => {
  const { user, product, dialog } = await openStock('total');
  const counted = dialog.getByLabelText('Counted pieces');
  expect(counted).toHaveValue('24800');
  expect(counted).toHaveAttribute('min', '0');
  for (const [text, message] of [
    ['', 'Quantity is Required'],
    ['1.5', 'Must be a whole number'],
    ['1,5', '“1,5” is not a whole number. Write digits only.'],
    ['-1', 'Must be at least 0'],
  ] as const) {
    await user.clear(counted);
    if (text) await user.type(counted, text);
    await user.click(dialog.getByRole('button', { name: 'Correct the stock' }));
    expect(await dialog.findByText(message)).toBeVisible();
  }
  await user.clear(counted);
  await user.type(counted, '31000');
  shop.answer(changeStock, { data: { ...product, quantity: 31_000 } });
  await user.click(dialog.getByRole('button', { name: 'Add 6,200' }));
  expect(await screen.findByText('OLED display assembly: 31,000 in stock')).toBeVisible();
  expect(shop.getSentBody(changeStock)).toEqual({ set: 31_000, was: 24_800, reason: 'correction' });
});

test('a total below the stock is asked about first', async () => {
  const { user, product, dialog } = await openStock('total');
  await count({ user, dialog }, '500');
  expect(dialog.getByText('24,300 fewer: 24,800 → 500')).toBeVisible();
  await user.dblClick(dialog.getByRole('button', { name: 'Take 24,300 off' }));
  const question = within(await screen.findByRole('dialog', { name: 'Set the stock to 500?' }));
  expect(question.getByText('24,300 fewer: 24,800 → 500.')).toBeVisible();
  await user.click(question.getByRole('button', { name: 'Check the number' }));
  await count({ user, dialog }, '0');
  await user.click(dialog.getByRole('button', { name: 'Take 24,800 off' }));
  const last = within(await screen.findByRole('dialog', { name: 'Set the stock to 0?' }));
  expect(last.getByText(/With 0 in stock nobody can order this part\.$/)).toBeVisible();
  expect(shop.getRequests(changeStock)).toEqual([]);
  shop.answer(changeStock, { data: { ...product, quantity: 0 } });
  await user.click(last.getByRole('button', { name: 'Take 24,800 off' }));
  expect(await screen.findByText('OLED display assembly: 0 in stock')).toBeVisible();
  expect(shop.getSentBody(changeStock)).toEqual({ set: 0, was: 24_800, reason: 'correction' });
});

test('a held Enter does not confirm its own question', async () => {
  const { user, dialog } = await openStock('total');
  await count({ user, dialog }, '500');
  dialog.getByRole('button', { name: 'Take 24,300 off' }).focus();
  await user.keyboard('{Enter}');
  expect(await screen.findByRole('button', { name: 'Check the number' })).toHaveFocus();
  await user.keyboard('{Enter}');
  expect(screen.queryByRole('dialog', { name: /^Set the stock/ })).not.toBeInTheDocument();
  expect(shop.getRequests(changeStock)).toEqual([]);
});

test('the dialog for a new total can switch back to adding', async () => {
  const { user, dialog } = await openStock('total');
  await user.click(dialog.getByRole('button', { name: 'Add pieces instead' }));
  expect(screen.getByLabelText('Pieces to add')).toBeVisible();
});

test('a failed restock names the failure beside the typed number', async () => {
  const { user, dialog } = await openStock('add');
  await user.type(dialog.getByLabelText('Pieces to add'), '500');
  shop.refuse(changeStock, 'internal', { requestId: '0198c2f4-9999' });
  await user.click(dialog.getByRole('button', { name: 'Add 500' }));
  const alert = await dialog.findByRole('alert');
  expect(alert).toHaveTextContent('Something went wrong on our side. Try again.');
  expect(alert).toHaveTextContent('Reference 0198c2f4-9999');
  expect(dialog.getByLabelText('Pieces to add')).toHaveValue('500');
});

test('a deleted product closes the dialog and leaves a notice', async () => {
  const { user, dialog } = await openStock('add');
  await user.type(dialog.getByLabelText('Pieces to add'), '500');
  shop.refuse(changeStock, 'not-found');
  shop.answerPage(listProducts, [], '0');
  await user.click(dialog.getByRole('button', { name: 'Add 500' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('OLED display assembly: This no longer exists.');
  expect(screen.queryByRole('dialog', { name: 'Restock' })).not.toBeInTheDocument();
});

test('a changed stock is not overwritten but asked about again', async () => {
  const { user, product, dialog } = await openStock('total');
  const takeOff = async (name: string) => {
    await user.click(dialog.getByRole('button', { name }));
    const question = within(await screen.findByRole('dialog', { name: 'Set the stock to 10,000?' }));
    await user.click(question.getByRole('button', { name }));
  };
  await count({ user, dialog }, '10000');
  shop.refuse(changeStock, 'stock-changed', { quantity: 12_100 });
  await takeOff('Take 14,800 off');
  expect(await dialog.findByText('12,100 in stock')).toBeVisible();
  expect(dialog.getByRole('alert')).toHaveTextContent(
    'The stock has changed: 12,100 now. Check your number, then press Take 2,100 off again.',
  );
  expect(dialog.getByLabelText('Counted pieces')).toHaveValue('10000');
  shop.answer(changeStock, { data: { ...product, quantity: 10_000 } });
  await takeOff('Take 2,100 off');
  expect(await screen.findByText('OLED display assembly: 10,000 in stock')).toBeVisible();
  const sent = shop.getRequests(changeStock);
  expect(sent.map(({ body }) => body)).toMatchObject([{ was: 24_800 }, { was: 12_100 }]);
  expect(new Set(getKeys()).size).toBe(2);
});

test('a retry after a broken connection sends the same key', async () => {
  const { user, product, dialog } = await openStock('add');
  await user.type(dialog.getByLabelText('Pieces to add'), '500');
  const add = dialog.getByRole('button', { name: 'Add 500' });
  shop.disconnect(changeStock);
  await user.click(add);
  expect(await screen.findByText('The server did not answer. Try again.')).toBeVisible();
  shop.answer(changeStock, { data: product });
  await user.click(add);
  expect(await screen.findByText('OLED display assembly: 24,800 in stock')).toBeVisible();
  const [first, second] = getKeys();
  expect(second).toBe(first);
});

test('the same change in a reopened dialog sends a new key', async () => {
  const { user, product, dialog } = await openStock('add');
  await user.type(dialog.getByLabelText('Pieces to add'), '500');
  shop.disconnect(changeStock);
  await user.click(dialog.getByRole('button', { name: 'Add 500' }));
  expect(await screen.findByText('The server did not answer. Try again.')).toBeVisible();
  await user.click(dialog.getByRole('button', { name: 'Keep stock' }));
  await user.click(await screen.findByRole('button', { name: 'Restock OLED display assembly' }));
  await user.type(screen.getByLabelText('Pieces to add'), '500');
  shop.answer(changeStock, { data: product });
  await user.click(screen.getByRole('button', { name: 'Add 500' }));
  expect(await screen.findByText('OLED display assembly: 24,800 in stock')).toBeVisible();
  expect(new Set(getKeys()).size).toBe(2);
});

test('the address keeps the search, and names link to editing', async () => {
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
  // That search forgives a mistyped word.
  expectLink('similar names in All Parts', '/all-products?q=nothing');
  await user.click(screen.getByRole('button', { name: 'Show all products' }));
  expect(await row('OLED')).toBeVisible();
  expect(getAddress()).toBe('/dashboard/manage-products');
});

const anImport: Import = {
  _id: '01a1fe55-4eaf-7194-bacc-000000000001',
  name: 'Prices by 50%',
  kind: 'parts',
  undoes: null,
  state: 'preview',
  createdAt: '2026-11-28T09:00:00.000Z',
  appliedAt: null,
  columns: [],
  notes: [],
  counts: { new: 0, changed: 1, unchanged: 0, refused: 0, warned: 0, done: 0, leftOut: 0 },
  kinds: [],
  problems: [],
  lines: [],
};

async function changePrices(was: string) {
  const number = 'PF-D6101';
  shop.answerPage(listProducts, [aProduct({ number })], '1');
  const line = { line: 2, number, name: 'OLED display assembly', isNew: false };
  const preview = { ...anImport, lines: [{ ...line, changes: [{ column: 'price', was, will: '96.75' }] }] };
  shop.answer(importProducts, { data: preview });
  shop.answer(readImport, { data: preview });
  shop.answer(applyImport, { data: preview });
  const page = await openManageProducts();
  await page.user.click(await screen.findByRole('checkbox', { name: /^Choose OLED/ }));
  await page.user.click(screen.getByRole('button', { name: 'Change prices' }));
  const dialog = within(screen.getByRole('dialog', { name: 'Change 1 price' }));
  const confirm = dialog.getByRole('button', { name: 'Change 1 price' });
  expect(confirm).toBeDisabled();
  await page.user.type(dialog.getByLabelText('By'), '50%');
  expect(dialog.getByText('$64.50 → $96.75')).toBeVisible();
  await page.user.click(confirm);
  return { ...page, dialog, confirm };
}

test('a price below a cent is refused in the dialog', async () => {
  const { user } = await openManageProducts([aProduct()]);
  await user.click(await screen.findByRole('checkbox', { name: /^Choose OLED/ }));
  await user.click(screen.getByRole('button', { name: 'Change prices' }));
  const dialog = within(screen.getByRole('dialog', { name: 'Change 1 price' }));
  await user.type(dialog.getByLabelText('By'), '-500');
  expect(dialog.getByText('Every price must stay above 0')).toBeVisible();
  expect(dialog.getByRole('button', { name: 'Change 1 price' })).toBeDisabled();
});

test('prices change as the dialog shows them, and their file opens', async () => {
  const { getAddress } = await changePrices('64.50');
  expect(await screen.findByRole('heading', { level: 1, name: 'Catalogue by File' })).toBeVisible();
  expect(getAddress()).toBe(`/dashboard/catalogue-file?import=${anImport._id}`);
  expect(shop.getRequests(importProducts)[0]?.query.get('name')).toBe('Prices by 50%');
  expect(shop.getRequests(applyImport)).toHaveLength(1);
});

test('prices that differ from the dialog wait in their preview', async () => {
  await changePrices('70.00');
  expect(await screen.findByRole('button', { name: 'Apply 1 change' })).toBeVisible();
  expect(shop.getRequests(applyImport)).toHaveLength(0);
});

test('a price change that fails stays in its dialog', async () => {
  shop.answerPage(listProducts, [aProduct()], '1');
  shop.refuse(importProducts, 'overloaded');
  const { user } = await openManageProducts();
  await user.click(await screen.findByRole('checkbox', { name: /^Choose OLED/ }));
  await user.click(screen.getByRole('button', { name: 'Change prices' }));
  const dialog = within(screen.getByRole('dialog', { name: 'Change 1 price' }));
  await user.type(dialog.getByLabelText('By'), '50%');
  await user.click(dialog.getByRole('button', { name: 'Change 1 price' }));
  expect(await dialog.findByRole('alert')).toBeVisible();
});

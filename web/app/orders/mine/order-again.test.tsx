import { joinBatch } from '@parts-forge/contract/orders/batch';
import { listOrders } from '@parts-forge/contract/orders/orders';
import { type PartWithInstead, readInstead } from '@parts-forge/contract/products/instead';
import { type Product, readProduct } from '@parts-forge/contract/products/products';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { aBatchLine, anOrder, aProduct } from '#test/builders.ts';
import { createRefusal, startFakeShop } from '#test/fake-shop.ts';
import { openPage } from '#test/open-page.tsx';

const shop = startFakeShop();

const models = ['Norda 12', 'Kite A3', 'Tern 5G'];
const display = { name: 'OLED display', number: 'PF-D6101', quantity: 30, minimumOrder: 10, fits: models };
const short = aProduct(display);
const other = aProduct({ name: 'OLED with frame', number: 'PF-D6102', price: 71.2, minimumOrder: 10 });
const instead = [{ product: other, fits: 2, of: 3, quantity: 120 }];

interface Asked {
  /** Of each part, 120 pieces were ordered for $7,740.00. */
  parts: readonly Product[];
  answer?: Partial<PartWithInstead>;
  isSold?: boolean;
}

async function ask({ parts, answer, isSold = true }: Asked) {
  const orders = parts.map(({ _id, name, number }) =>
    anOrder({ productId: _id, productName: name, partNumber: number, status: 'paid' }),
  );
  shop.signIn();
  shop.answer(listOrders, { data: orders });
  shop.respond(readProduct, ({ params: { id } }) => {
    const data = isSold && parts.find(({ _id }) => _id === id);
    return data ? Response.json({ data }) : createRefusal('not-found');
  });
  shop.answer(readInstead, { data: { product: short, instead, ...answer } });
  const { user } = await openPage('/dashboard/my-orders');
  for (const { number } of orders)
    await user.click(await screen.findByRole('checkbox', { name: `Choose order ${number}` }));
  const bar = within(screen.getByRole('region', { name: 'Chosen orders' }));
  await user.click(bar.getByRole('button', { name: 'Order again' }));
  const dialog = within(await screen.findByRole('dialog', { name: /again\?$/ }));
  return { user, dialog };
}

const getLines = () => [...screen.getByLabelText('Parts to order').children].map((line) => line.textContent);
const takeOther = 'Take this instead: OLED with frame';

async function addToBatch(lines: string) {
  shop.answer(joinBatch, { data: [aBatchLine()], left: [] });
  (await screen.findByRole('button', { name: `Add ${lines} to the batch` })).click();
  await screen.findByText(`${lines} added to the batch.`);
  return (shop.getSentBody(joinBatch) as { lines: unknown }).lines;
}

test('another part takes the place of a short line', async () => {
  const { user, dialog } = await ask({ parts: [short] });
  expect(dialog.getByRole('heading', { name: 'Order this again?' })).toHaveFocus();
  expect(await dialog.findByText('30 of 120 are in stock. What fits instead is below.')).toBeVisible();
  await user.click(dialog.getByRole('button', { name: takeOther }));
  expect(getLines()).toEqual([
    'PF-D6102OLED with frame120 pieces, $7,740.00 → $8,544.00Instead of PF-D6101. Undo',
  ]);
  expect(dialog.getByRole('listitem')).toHaveFocus();
  expect(dialog.getByText('PF-D6102 instead of PF-D6101.').parentElement).toHaveAttribute('aria-live');
  expect(shop.getRequests(joinBatch)).toEqual([]);
  expect(await addToBatch('1 line')).toEqual([{ productId: other._id, quantity: 120 }]);
});

test('Undo gives the ordered part back', async () => {
  const { user, dialog } = await ask({ parts: [short] });
  await user.click(await dialog.findByRole('button', { name: takeOther }));
  await user.click(dialog.getByRole('button', { name: 'Undo' }));
  expect(await dialog.findByRole('button', { name: takeOther })).toBeVisible();
  expect(dialog.getByText('PF-D6101 as ordered.')).toBeInTheDocument();
  const [line] = dialog.getAllByRole('listitem');
  expect(line).toHaveFocus();
  expect(await addToBatch('1 line')).toEqual([{ productId: short._id, quantity: 120 }]);
});

test('a split line keeps the stock and its share of the price', async () => {
  const { user, dialog } = await ask({ parts: [short] });
  await user.click(await dialog.findByRole('button', { name: /^30 of this and 90 of that/ }));
  expect(getLines()).toEqual([
    'PF-D6101OLED display30 pieces, $1,935.00',
    'PF-D6102OLED with frame90 pieces, $5,805.00 → $6,408.00Instead of 90 of PF-D6101. Undo',
  ]);
  expect(await addToBatch('2 lines')).toEqual([
    { productId: short._id, quantity: 30 },
    { productId: other._id, quantity: 90 },
  ]);
});

test('fewer pieces of another part have their share of the price', async () => {
  const few = { product: other, fits: 2, of: 3, quantity: 90 };
  const { user, dialog } = await ask({ parts: [short], answer: { instead: [few] } });
  await user.click(await dialog.findByRole('button', { name: 'Take 90 instead: OLED with frame' }));
  expect(getLines()).toEqual([
    'PF-D6102OLED with frame90 pieces, $5,805.00 → $6,408.00Instead of PF-D6101. Undo',
  ]);
});

test('Undo gives back all pieces of a part that was exchanged twice', async () => {
  const { user, dialog } = await ask({ parts: [short] });
  await user.click(await dialog.findByRole('button', { name: /^30 of this and 90 of that/ }));
  const { queryClient } = await import('#app/calls/query-client.ts');
  const fewer = new Map([[short._id, { ...short, quantity: 10 }]]);
  shop.answer(readInstead, {
    data: { product: short, instead: [{ product: other, fits: 2, of: 3, quantity: 30 }] },
  });
  queryClient.setQueryData(['products', 'again', [short._id]], fewer);
  await user.click(await dialog.findByRole('button', { name: takeOther }));
  expect(dialog.getByText(/^Instead of 30 of PF-D6101/)).toBeVisible();
  await user.click(dialog.getAllByRole('button', { name: 'Undo' })[0] as HTMLElement);
  expect(await addToBatch('1 line')).toEqual([{ productId: short._id, quantity: 120 }]);
});

test('a part that was ordered, too, gets the pieces of both', async () => {
  const { user, dialog } = await ask({ parts: [short, other] });
  await user.click(await dialog.findByRole('button', { name: takeOther }));
  expect(getLines()).toEqual([
    'PF-D6102OLED with frame240 pieces, $15,480.00 → $17,088.00Instead of 120 of PF-D6101. Undo',
  ]);
  expect(await addToBatch('1 line')).toEqual([{ productId: other._id, quantity: 240 }]);
});

test('a removed part is left out until another one takes its place', async () => {
  const { user, dialog } = await ask({ parts: [short], answer: { gone: true }, isSold: false });
  expect(await dialog.findByText('This part is no longer sold. What fits instead is below.')).toBeVisible();
  expect(dialog.getByRole('button', { name: 'Add 0 lines to the batch' })).toBeDisabled();
  await user.click(dialog.getByRole('button', { name: takeOther }));
  expect(await addToBatch('1 line')).toEqual([{ productId: other._id, quantity: 120 }]);
});

test('a part that is removed meanwhile is named so', async () => {
  const { dialog } = await ask({ parts: [short] });
  shop.answer(joinBatch, { data: [], left: [{ productId: short._id, reason: 'gone' }] });
  (await dialog.findByRole('button', { name: 'Add 1 line to the batch' })).click();
  expect(await screen.findByText('1 line not added: no longer sold.')).toBeVisible();
});

test('a removed part without an alternative says so', async () => {
  const { dialog } = await ask({ parts: [short], answer: { gone: true, instead: [] }, isSold: false });
  expect(
    await dialog.findByText('This part is no longer sold. Nothing else fits its 3 models.'),
  ).toBeVisible();
});

test('a stock below the minimum order asks for no quantity', async () => {
  const few = aProduct({ ...display, minimumOrder: 200 });
  const { dialog } = await ask({ parts: [few], answer: { instead: [] } });
  expect(
    await dialog.findByText(
      '30 of 120 are in stock, fewer than the minimum order of 200. Nothing else fits its 3 models.',
    ),
  ).toBeVisible();
});

test('an exchange for more pieces than in stock says so', async () => {
  const scarce = aProduct({ ...other, _id: other._id, quantity: 200 });
  const { user, dialog } = await ask({
    parts: [short, scarce],
    answer: { instead: [{ product: scarce, fits: 2, of: 3, quantity: 120 }] },
  });
  await user.click(await dialog.findByRole('button', { name: takeOther }));
  await waitFor(() => expect(dialog.getByText('200 of 240 are in stock.')).toBeVisible());
  expect(dialog.queryByRole('group', { name: 'What fits instead' })).not.toBeInTheDocument();
});

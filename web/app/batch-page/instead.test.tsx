import { type BatchLine, readBatch, writeBatchLines } from '@parts-forge/contract/orders/batch';
import { listOrders } from '@parts-forge/contract/orders/orders';
import type { Instead } from '@parts-forge/contract/products/instead';
import { readWish } from '@parts-forge/contract/products/wishes';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { aBatchLine, aProduct } from '#test/builders.ts';
import { startFakeShop } from '#test/fake-shop.ts';
import { openPage } from '#test/open-page.tsx';

const shop = startFakeShop();

const models = ['Norda 12', 'Kite A3', 'Tern 5G'];
const oled = [{ name: 'Panel', value: 'OLED' }];
const short = aProduct({
  name: 'OLED display',
  number: 'PF-D6101',
  price: 64.5,
  quantity: 30,
  minimumOrder: 10,
  fits: models,
  attributes: oled,
});
const successor = aProduct({
  name: 'OLED display with frame',
  number: 'PF-D6102',
  price: 71.2,
  fits: models,
  attributes: oled,
});
const lcd = aProduct({
  name: 'LCD display',
  number: 'PF-D6111',
  price: 32.4,
  minimumOrder: 100,
  orderStep: 25,
  fits: models.slice(0, 2),
  attributes: [
    { name: 'panel', value: 'LCD' },
    { name: 'Refresh rate', value: '60 Hz' },
  ],
});
const others: Instead[] = [
  { product: successor, fits: 3, of: 3, quantity: 120, named: true },
  { product: lcd, fits: 2, of: 3, quantity: 125 },
];
const aShortLine = (wanted: Partial<BatchLine> = {}) =>
  aBatchLine({
    product: short,
    quantity: 120,
    instead: others,
    ...wanted,
  });

async function openBatch(lines: BatchLine[]) {
  shop.signIn();
  shop.answer(readBatch, { data: lines });
  shop.answer(listOrders, { data: [] });
  return openPage('/dashboard/batch');
}
const findItems = async (name = 'What fits instead') =>
  within(await screen.findByRole('group', { name })).getAllByRole('listitem');
const numbers = new Map([short, successor].map(({ _id, number }) => [_id, number]));
/** Number and quantity of each line that was sent, a text for each request. */
const sent = () =>
  shop.getRequests(writeBatchLines).map(({ body }) => {
    const { lines } = body as { lines: { productId: string; quantity: number }[] };
    return lines.map(({ productId, quantity }) => `${numbers.get(productId)} ${quantity}`).join(', ');
  });

test('each alternative says what it fits, what differs, price and stock', async () => {
  await openBatch([aShortLine()]);
  const [first, second] = await findItems();
  expect(first).toHaveTextContent(
    'OLED display with framePF-D6102, named by Parts Forgefits 3 of 3 models$71.20+$6.7024,800in stock',
  );
  expect(second).toHaveTextContent(
    'LCD displayPF-D6111fits 2 of 3 modelsLCD in place of OLED, not Tern 5G$32.40−$32.1024,800in stock',
  );
  expect(within(second as HTMLElement).getByText(/^LCD in/)).toHaveAttribute(
    'title',
    'LCD in place of OLED; Refresh rate: 60 Hz; not Tern 5G',
  );
});

test('pieces are split where both parts allow it', async () => {
  await openBatch([aShortLine()]);
  const [first, second] = await findItems();
  const names = (item?: HTMLElement) =>
    within(item as HTMLElement)
      .getAllByRole('button')
      .map((each) => each.textContent);
  expect(names(first)).toEqual(['Take this instead', '30 of this and 90 of that']);
  // 90 are below its minimum order, and 120 out of its step.
  expect(names(second)).toEqual(['Take 125 instead']);
});

test('the next line to decide has the focus after an exchange', async () => {
  const next = aShortLine({ product: { ...lcd, quantity: 0 }, quantity: 110, instead: [] });
  shop.answer(readWish, { waiting: false });
  const { user } = await openBatch([aShortLine(), next]);
  shop.answer(writeBatchLines, { data: [aBatchLine({ product: successor, quantity: 120 }), next] });
  await user.click(await screen.findByRole('button', { name: /^Take this instead/ }));
  await waitFor(() => expect(screen.getByLabelText(`Quantity of ${lcd.name}`)).toHaveFocus());
  expect(screen.getByText('PF-D6102 is in the batch instead of PF-D6101.')).toBeVisible();
});

test('an alternative takes the place of the line, and gives it back', async () => {
  const { user } = await openBatch([aShortLine()]);
  shop.answer(writeBatchLines, { data: [aBatchLine({ product: successor, quantity: 120 })] });
  await user.click(await screen.findByRole('button', { name: /^Take this instead/ }));
  expect(await screen.findByText('Instead of PF-D6101.')).toBeVisible();
  expect(screen.queryByRole('group', { name: 'What fits instead' })).not.toBeInTheDocument();
  await waitFor(() => expect(screen.getByLabelText(`Quantity of ${successor.name}`)).toHaveFocus());
  shop.answer(writeBatchLines, { data: [aShortLine()] });
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  await findItems();
  expect(screen.queryByText('Instead of PF-D6101.')).not.toBeInTheDocument();
  expect(sent()).toEqual(['PF-D6101 0, PF-D6102 120', 'PF-D6101 120, PF-D6102 0']);
});

test('a part that is in the batch already gets more pieces', async () => {
  const known = aBatchLine({ product: successor, quantity: 40 });
  const { user } = await openBatch([aShortLine(), known]);
  shop.answer(writeBatchLines, {
    data: [aBatchLine({ product: short, quantity: 30 }), { ...known, quantity: 130 }],
  });
  await user.click(await screen.findByRole('button', { name: /^30 of this and 90 of that/ }));
  expect(await screen.findByText('Instead of 90 of PF-D6101.')).toBeVisible();
  expect(screen.getByText('PF-D6102 is in the batch instead of 90 of PF-D6101.')).toBeVisible();
  expect(sent()).toEqual(['PF-D6101 30, PF-D6102 130']);
});

test('a line says which of its pieces stand for another part', async () => {
  const known = aBatchLine({ product: successor, quantity: 40 });
  const { user } = await openBatch([aShortLine(), known]);
  shop.answer(writeBatchLines, { data: [{ ...known, quantity: 160 }] });
  await user.click(await screen.findByRole('button', { name: /^Take this instead/ }));
  expect(await screen.findByText('Instead of 120 of PF-D6101.')).toBeVisible();
});

test('a refused exchange keeps the line and says why', async () => {
  const { user } = await openBatch([aShortLine()]);
  shop.refuse(writeBatchLines, 'batch-full');
  await user.click(await screen.findByRole('button', { name: /^Take this instead/ }));
  expect(await screen.findByText('A batch has at most 100 lines')).toBeVisible();
  expect(await findItems()).toHaveLength(2);
});

test('an ended part shows its successor, which comes without a way back', async () => {
  const [named] = others as [Instead];
  const { user } = await openBatch([aShortLine({ gone: true, instead: [named] })]);
  await findItems('Successor');
  expect(screen.getByText(/Its successor is below/)).toBeVisible();
  shop.answer(writeBatchLines, { data: [aBatchLine({ product: successor, quantity: 120 })] });
  await user.click(screen.getByRole('button', { name: /^Take this instead/ }));
  expect(await screen.findByText('Instead of PF-D6101.')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Undo' })).not.toBeInTheDocument();
});

test('a successor without stock is named, and cannot be taken', async () => {
  const empty = { ...others[0], product: { ...successor, quantity: 0 }, quantity: 0 } as Instead;
  await openBatch([aShortLine({ instead: [empty] })]);
  const [item] = await findItems('Successor');
  expect(within(item as HTMLElement).queryByRole('button')).not.toBeInTheDocument();
});

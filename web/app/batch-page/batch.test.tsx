import { writeAlias } from '@parts-forge/contract/orders/aliases';
import {
  type AddedList,
  addBatchFile,
  addBatchLines,
  type BatchLine,
  clearBatch,
  joinBatch,
  placeBatch,
  readBatch,
  removeBatchLine,
  type UnreadBatchLine,
  writeBatchLine,
  writeBatchLines,
} from '@parts-forge/contract/orders/batch';
import { listOrders, type Order } from '@parts-forge/contract/orders/orders';
import { readConfig } from '@parts-forge/contract/people/identity';
import { WORKBOOK_TYPE } from '@parts-forge/contract/products/catalogue';
import { listProducts } from '@parts-forge/contract/products/products';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { aBatchLine, aConfig, anOrder, aProduct } from '#test/builders.ts';
import { expectLink } from '#test/expect-link.ts';
import { startFakeShop } from '#test/fake-shop.ts';
import { closePage, type OpenPage, openPage } from '#test/open-page.tsx';

const shop = startFakeShop();

const display = aProduct({ name: 'Display', price: 64.5, orderStep: 25, number: 'PF-D6101' });
const motor = aProduct({ name: 'Motor', price: 2.9, minimumOrder: 250 });

async function openBatch(lines: BatchLine[], orders: Order[] = []) {
  shop.signIn();
  shop.answer(readBatch, { data: lines });
  shop.answer(listOrders, { data: orders });
  const page = await openPage('/dashboard/batch');
  if (lines.length > 0)
    await page.user.click(await screen.findByRole('button', { name: 'Add lines or a file' }));
  await screen.findByLabelText('Lines to add');
  return page;
}
/** Opens the batch of a returning customer, ready to be placed. */
async function openFilledBatch(lines: BatchLine[] = [aBatchLine()]) {
  const page = await openBatch(lines, [anOrder()]);
  await screen.findByText(/12 Oxford Street/);
  return page;
}
/** What the shop says of a list of which these lines were not read. */
const aList = (
  data: BatchLine[],
  unread: UnreadBatchLine[] = [],
  more: Partial<AddedList> = {},
): AddedList => ({
  data,
  unread,
  lines: data.map(({ product }, index) => ({ line: index + 1, productId: product._id, before: 0 })),
  added: data.length,
  read: `${data.length} of ${data.length + unread.length} lines read.`,
  ...more,
});
const tableRows = () => within(screen.getByRole('table')).getAllByRole('row').slice(1);
const rowNumbers = () => tableRows().flatMap((row) => row.querySelector('.nr')?.textContent ?? []);
/** Of groups, and of parts in them. */
const rowNames = () =>
  tableRows().flatMap((row) =>
    row.className === 'cap' ? row.textContent : (row.querySelector('.line')?.textContent ?? []),
  );
const linesField = () => screen.getByLabelText('Lines to add');
async function pasteLines({ user }: OpenPage, text: string) {
  await user.click(linesField());
  await user.paste(text);
  await user.click(screen.getByRole('button', { name: 'Add lines' }));
}
const chooseFile = ({ user }: OpenPage, file: File) =>
  user.upload(screen.getByLabelText('Choose a file with lines'), file);
const row = async (name: string) => within(await screen.findByRole('row', { name: new RegExp(name) }));
const quantityField = (name: string) => screen.findByLabelText(`Quantity of ${name}`);
const placeButton = () => screen.findByRole('button', { name: /^Place \d+ order/ });
const total = () => screen.getByText(/^\$[\d,]+\.\d\d$/, { selector: '[aria-live]' });

test.each([
  [72, 'The stock is held for 72 hours. Pay the orders together or one by one.'],
  [0.5, 'The stock is held for 30 minutes. Pay the orders together or one by one.'],
  [null, 'The stock is held until you pay the orders, together or one by one.'],
])('the hints say how long stock is held, with %s hours', async (holdHours, sentence) => {
  shop.answer(readConfig, { ...aConfig(), holdHours });
  await openBatch([aBatchLine()]);
  expect(await screen.findByText(sentence)).toBeVisible();
});

test('an empty batch explains itself and offers the field for lines', async () => {
  await openBatch([]);
  expect(await screen.findByRole('heading', { name: 'No lines yet' })).toBeVisible();
  expectLink('See All Parts', '/all-products');
  expect(screen.getByLabelText('Lines to add')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Clear batch' })).not.toBeInTheDocument();
});

test('unread lines keep their header, and a suggestion replaces the number', async () => {
  const page = await openBatch([]);
  const unread = [
    {
      line: 2,
      text: '250,PFD6101',
      reason: 'No part has this number.',
      asked: { name: 'PFD6101', quantity: 250 },
      suggestion: 'PF-D6101',
    },
    { line: 3, text: 'many,PF-D6102', reason: '“many” is not a quantity.' },
  ];
  shop.answer(addBatchLines, aList([], unread, { header: 'Qty,Part' }));
  await pasteLines(page, 'Qty,Part\n250,PFD6101\nmany,PF-D6102');
  await page.user.click((await screen.findAllByRole('button', { name: 'Edit the line' }))[1] as HTMLElement);
  expect(linesField()).toHaveValue('Qty,Part\nmany,PF-D6102');
  shop.answer(addBatchLines, aList([aBatchLine({ product: display, quantity: 250 })]));
  await page.user.click(screen.getByRole('button', { name: 'PF-D6101' }));
  expect(await quantityField('Display')).toHaveValue('250');
  expect(shop.getRequests(addBatchLines).at(-1)?.body).toEqual({ text: 'PF-D6101;250' });
  expect(screen.queryByText('No part has this number.')).not.toBeInTheDocument();
});

test('each line shows its facts, and the sum stands below', async () => {
  const broken = aProduct({ name: 'Board', price: 140, priceBreaks: [{ quantity: 500, price: 136 }] });
  await openBatch([
    aBatchLine({ product: display, quantity: 50 }),
    aBatchLine({ product: broken, quantity: 500 }),
  ]);
  const first = await row('Display');
  expect(first.getByText('PF-D6101, in steps of 25')).toBeVisible();
  expect(first.getByText('$64.50')).toBeVisible();
  expect(first.getByText('$3,225.00')).toBeVisible();
  const second = await row('Board');
  expect(second.getByText('$136.00')).toBeVisible();
  expect(second.getByText('from 500')).toBeVisible();
  expect(total()).toHaveTextContent('$71,225.00');
  expect(screen.getByText('2 lines, 550 pieces')).toBeVisible();
  expect(await placeButton()).toHaveTextContent('Place 2 orders');
  const menu = within(screen.getByRole('navigation', { name: 'Dashboard' }));
  expect(menu.getByRole('link', { name: 'Batch 2 lines' })).toHaveAttribute('aria-current', 'page');
  const bar = within(screen.getByRole('banner'));
  expectLink('Batch, 2 lines', '/dashboard/batch', bar);
});

test('a typed quantity counts at once and is saved', async () => {
  const { user } = await openBatch([aBatchLine({ product: display, quantity: 50 })]);
  shop.answer(writeBatchLine, { data: [aBatchLine({ product: display, quantity: 75 })] });
  const field = await quantityField('Display');
  await user.clear(field);
  await user.type(field, '75');
  expect(total()).toHaveTextContent('$4,837.50');
  await user.tab();
  await waitFor(() => expect(shop.getSentBody(writeBatchLine)).toEqual({ quantity: 75 }));
  expect(shop.getRequests(writeBatchLine)[0]?.params.productId).toBe(display._id);
});

test('a refused quantity offers valid ones, which keep the focus', async () => {
  const { user } = await openBatch([aBatchLine({ product: display, quantity: 490 })]);
  shop.answer(writeBatchLine, { data: [aBatchLine({ product: display, quantity: 500 })] });
  const field = await quantityField('Display');
  expect(field).toBeInvalid();
  expect(field).toHaveAccessibleDescription(/^Order in steps of 25: 475 or 500 ?\.$/);
  expect(await placeButton()).toBeDisabled();
  expect(await placeButton()).toHaveAccessibleDescription(/^1 to decide ?: no line is ready to be placed$/);
  await user.click(screen.getByRole('link', { name: '1 to decide' }));
  expect(field).toHaveFocus();
  await user.click(screen.getByRole('button', { name: '500 pieces of Display' }));
  expect(field).toHaveFocus();
  expect(field).toHaveValue('500');
  expect(field).toBeValid();
  expect(await placeButton()).toBeEnabled();
  await waitFor(() => expect(shop.getSentBody(writeBatchLine)).toEqual({ quantity: 500 }));
});

test('a changed price is a note beside the old price, no obstacle', async () => {
  await openBatch([aBatchLine({ product: motor, quantity: 400, price: 2.75 })]);
  const line = await row('Motor');
  expect(screen.getByText('The price changed after you added the line.')).toBeVisible();
  expect(line.getByText('$2.75')).toBeVisible();
  expect(line.getByText('$1,160.00')).toBeVisible();
  expect(await placeButton()).toBeEnabled();
});

test('a part no longer sold stays in the list until removed', async () => {
  const { user } = await openBatch([
    aBatchLine({ product: motor, quantity: 400, gone: true }),
    aBatchLine({ product: display }),
  ]);
  const line = await row('Motor');
  expect(screen.getByText('This part is no longer sold.')).toBeVisible();
  expect(line.queryByRole('link')).not.toBeInTheDocument();
  expect(await placeButton()).toHaveAccessibleDescription('1 to decide stays in the batch');
  expect(total()).toHaveTextContent('$3,225.00');
  shop.answer(removeBatchLine, { deletedCount: 1 });
  shop.answer(readBatch, { data: [aBatchLine({ product: display })] });
  await user.click(line.getByRole('button', { name: 'Remove Motor' }));
  await waitFor(() => expect(screen.queryByText('Motor')).not.toBeInTheDocument());
  expect(shop.getRequests(removeBatchLine)[0]?.params.productId).toBe(motor._id);
  expect(screen.getByRole('button', { name: 'Remove Display' })).toHaveFocus();
  expect(screen.getByText('Motor removed')).toHaveRole('status');
});

test('removing the last line moves the focus to the heading', async () => {
  const { user } = await openBatch([aBatchLine({ product: display })]);
  shop.answer(removeBatchLine, { deletedCount: 1 });
  shop.answer(readBatch, { data: [] });
  await user.click(await screen.findByRole('button', { name: 'Remove Display' }));
  expect(await screen.findByText('No lines yet')).toBeVisible();
  expect(screen.getByRole('heading', { level: 1 })).toHaveFocus();
});

test('the clear dialog of a single line uses the singular', async () => {
  const { user } = await openBatch([aBatchLine()]);
  await user.click(await screen.findByRole('button', { name: 'Clear batch' }));
  const question = 'Its line is removed. Orders that you placed stay.';
  expect(screen.getByRole('dialog')).toHaveAccessibleDescription(question);
});

test('clearing the batch asks first', async () => {
  const { user } = await openBatch([aBatchLine(), aBatchLine()]);
  shop.answer(clearBatch, { deletedCount: 2 });
  await user.click(await screen.findByRole('button', { name: 'Clear batch' }));
  const dialog = within(screen.getByRole('dialog'));
  expect(dialog.getByText('All 2 lines are removed. Orders that you placed stay.')).toBeVisible();
  await user.click(dialog.getByRole('button', { name: 'Clear batch' }));
  expect(await screen.findByText('No lines yet')).toBeVisible();
});

test('pasted lines join the list; unread ones stay with their reasons', async () => {
  const page = await openBatch([]);
  const numbered = { asked: { name: 'PF_D610I', quantity: 50 }, suggestion: 'PF-D6101' };
  shop.answer(
    addBatchLines,
    aList(
      [aBatchLine({ product: display, quantity: 250 })],
      [
        { line: 2, text: 'PF_D610I, 50', reason: 'No part has this number.', ...numbered },
        { line: 3, text: 'batteries 500', reason: '“batteries” is no part number.', search: 'batteries' },
      ],
    ),
  );
  await pasteLines(page, 'PF-D6101, 250\nPF_D610I, 50\nbatteries 500');
  expect(await quantityField('Display')).toHaveValue('250');
  expect(screen.getByRole('status', { name: 'List' })).toHaveTextContent('Your lines: 1 of 3 lines read.');
  expect(linesField()).toHaveValue('');
  expect(rowNumbers()).toEqual(['2', '3', '1']);
  expectLink('Search for “batteries”', '/all-products?q=batteries');
  await page.user.click(screen.getByRole('link', { name: '2 to decide' }));
  const focusedRow = () => document.activeElement?.closest('tr');
  expect(focusedRow()).toHaveTextContent('PF_D610I');
  await page.user.click(screen.getByRole('button', { name: 'Remove line 3, batteries 500' }));
  expect(screen.queryByText('batteries 500')).not.toBeInTheDocument();
  expect(focusedRow()).toHaveTextContent('PF_D610I');
  expect(await placeButton()).toHaveAccessibleDescription('1 to decide stays in the batch');
});

test('a chosen part is for all lines with its remembered name', async () => {
  const page = await openBatch([aBatchLine({ product: display, alias: 'FR-2001' })]);
  expect(await (await row('Display')).findByText('FR-2001')).toBeVisible();
  const asked = (line: number, quantity: number) => ({
    line,
    text: `my-123, ${quantity}`,
    reason: 'No part has this number.',
    asked: { name: 'MY-123', quantity },
  });
  const other = { line: 2, text: 'x', reason: 'No quantity.' };
  shop.answer(addBatchLines, aList([], [asked(1, 40), other, asked(3, 5)]));
  await pasteLines(page, 'my-123, 40\nx\nmy-123, 5');
  const find = async () =>
    (await screen.findAllByRole('combobox', { name: 'Choose the part for MY-123' }))[0] as HTMLElement;
  shop.answerPage(listProducts, [display], '1');
  await page.user.type(await find(), 'disp');
  expect(await screen.findByRole('option')).toHaveTextContent('PF-D6101, Display');
  // Leaving the field chooses nothing.
  await page.user.tab();
  expect(shop.getRequests(writeAlias)).toEqual([]);
  await page.user.type(await find(), 'disp');
  shop.answer(writeAlias, { data: { alias: 'MY-123', product: display, lastUsedAt: null } });
  shop.answer(addBatchLines, aList([aBatchLine({ product: display })]));
  await page.user.click(await screen.findByRole('option'));
  await waitFor(() => expect(screen.queryByText('MY-123')).not.toBeInTheDocument());
  expect(screen.getByText('No quantity.')).toBeVisible();
  expect(document.activeElement?.closest('tr')).toHaveTextContent('No quantity.');
  await page.user.click(screen.getByRole('button', { name: 'Remove line 2, x' }));
  expect(screen.getByRole('heading', { level: 1 })).toHaveFocus();
  expect(shop.getSentBody(writeAlias)).toEqual({ alias: 'MY-123', productId: display._id });
  const sent = shop.getRequests(addBatchLines).map(({ body }) => body);
  expect(sent.at(-1)).toEqual({ text: 'PF-D6101;40\nPF-D6101;5' });
});

test('a name is not kept without its check', async () => {
  const page = await openBatch([]);
  const asked = { name: 'A;"1"', quantity: 40 };
  const line = { line: 1, text: '"A;""1""";40', reason: '“A;"1"” is no part number.', asked };
  shop.answer(addBatchLines, aList([], [line]));
  await pasteLines(page, '"A;""1""";40');
  await page.user.click(await screen.findByRole('checkbox', { name: 'Remember A;"1"' }));
  shop.answerPage(listProducts, [display], '1');
  await page.user.type(screen.getByRole('combobox'), 'disp');
  shop.answer(addBatchLines, aList([aBatchLine({ product: display })]));
  await page.user.click(await screen.findByRole('option'));
  expect(await row('Display')).toBeDefined();
  expect(shop.getRequests(writeAlias)).toEqual([]);
});

test('a list is taken back: its lines go, and changed quantities return', async () => {
  const page = await openBatch([aBatchLine({ product: motor, quantity: 250 })]);
  const read = [aBatchLine({ product: motor, quantity: 650 }), aBatchLine({ product: display })];
  const lines = [
    { line: 1, productId: motor._id, before: 250 },
    { line: 2, productId: display._id, before: 0 },
  ];
  const unread = [{ line: 3, text: 'PF-X1, 50', reason: 'No part has this number.' }];
  shop.answer(addBatchFile, aList(read, unread, { lines }));
  await chooseFile(page, new File(['…'], 'week-48.csv'));
  await screen.findByText('week-48.csv');
  shop.answer(writeBatchLines, { data: [aBatchLine({ product: motor, quantity: 250 })] });
  await page.user.click(screen.getByRole('button', { name: 'Take it back' }));
  await waitFor(() => expect(screen.queryByText('week-48.csv')).not.toBeInTheDocument());
  expect(shop.getSentBody(writeBatchLines)).toEqual({
    lines: [
      { productId: motor._id, quantity: 250 },
      { productId: display._id, quantity: 0 },
    ],
  });
  expect(screen.queryByText('PF-X1, 50')).not.toBeInTheDocument();
  expect(await quantityField('Motor')).toHaveValue('250');
});

test('a mended row keeps its place until the focus leaves', async () => {
  const { user } = await openBatch([
    aBatchLine({ product: motor, quantity: 100 }),
    aBatchLine({ product: display }),
  ]);
  const mended = aBatchLine({ product: motor, quantity: 250 });
  shop.answer(writeBatchLine, { data: [mended, aBatchLine({ product: display })] });
  await user.click(screen.getByRole('button', { name: '250 pieces of Motor' }));
  expect(await quantityField('Motor')).toHaveFocus();
  expect(rowNames()).toEqual(['1 to decide', 'Motor', '1 ready', 'Display']);
  await user.click(screen.getByRole('heading', { level: 1 }));
  await waitFor(() => expect(rowNames()).toEqual(['2 ready', 'Motor', 'Display']));
});

test('lines to decide stay, and only ready lines are placed', async () => {
  const { user } = await openFilledBatch([
    aBatchLine({ product: motor, quantity: 100 }),
    aBatchLine({ product: display, quantity: 50 }),
  ]);
  expect(total()).toHaveTextContent('$3,225.00');
  expect(screen.getByText('1 of 2 lines, 50 pieces')).toBeVisible();
  shop.answer(placeBatch, { batch: 'the-batch', insertedIds: ['one'] });
  shop.answer(listOrders, { data: [anOrder({ _id: 'one', batch: 'the-batch' })] });
  await user.click(await placeButton());
  await screen.findByRole('heading', { level: 1, name: '1 order placed' });
  expect(shop.getSentBody(placeBatch)).toMatchObject({
    lines: [{ productId: display._id, quantity: 50, totalPrice: 3225 }],
  });
});

test.each([
  ['order.docx', 'PK\u0003\u0004\u0014word/document.xml', /^“order.docx” has no lines of text/],
  ['label.jpg', '\u00ff\u00d8\u00ff\u00e0\u0000\u0010JFIF\n', /^“label.jpg” has no lines of text/],
  ['film.csv', 'PF-D6101,250\n'.repeat(400_000), /^“film.csv” is larger than 5 MB/],
])('the file %s is refused in one sentence and not sent', async (name, text, sentence) => {
  const page = await openBatch([]);
  await chooseFile(page, new File([text], name, { type: 'text/csv' }));
  expect(await screen.findByText(sentence)).toBeVisible();
  expect(screen.getByLabelText('Choose another file')).toBeInTheDocument();
  expect(shop.getRequests(addBatchFile)).toEqual([]);
});

test.each([
  ['order.xlsx', 'PK\u0003\u0004\u0014workbook', WORKBOOK_TYPE],
  ['order.pdf', '%PDF-1.7\n', 'application/pdf'],
  ['order.csv', 'PF-D6101;50', 'text/plain'],
])('the file %s is read by the shop', async (name, text, type) => {
  const page = await openBatch([]);
  shop.answer(addBatchFile, aList([aBatchLine({ product: display })], [], { read: 'Read as a list.' }));
  const release = shop.hold(addBatchFile);
  await chooseFile(page, new File([text], name));
  const strip = screen.getByRole('status', { name: 'List' });
  await waitFor(() => expect(strip).toHaveTextContent(`Reading ${name} …`));
  release();
  await waitFor(() => expect(strip).toHaveTextContent(`${name}: Read as a list.Take it back`));
  await waitFor(() => expect(strip).toHaveFocus());
  expect(shop.getRequests(addBatchFile)[0]?.headers.get('content-type')).toBe(type);
});

test('a list with two columns of pieces asks for one', async () => {
  const page = await openBatch([]);
  const columns = [
    { name: 'Menge', example: '120' },
    { name: 'Bestellt', example: '100' },
  ];
  shop.answer(addBatchFile, aList([], [], { columns }));
  await chooseFile(page, new File(['…'], 'two.csv'));
  const button = await screen.findByRole('button', { name: 'Bestellt as 100' });
  expect(screen.getByRole('status', { name: 'List' })).toHaveTextContent(
    'two.csv: which column holds the pieces?',
  );
  shop.answer(addBatchFile, aList([aBatchLine({ product: display, quantity: 100 })]));
  await page.user.click(button);
  expect(await quantityField('Display')).toHaveValue('100');
  expect(shop.getRequests(addBatchFile).map(({ query }) => query.get('quantity'))).toEqual([null, '2']);
});

test('a list survives a reload, and a second list keeps unread lines', async () => {
  const page = await openBatch([]);
  const unread = { line: 2, text: 'PF-X1, 50', reason: 'No part has this number.' };
  shop.answer(addBatchLines, aList([aBatchLine({ product: display })], [unread]));
  await pasteLines(page, 'PF-D6101, 50\nPF-X1, 50');
  await screen.findByText('PF-X1, 50');
  window.dispatchEvent(new Event('pagehide'));
  closePage();
  const again = await openBatch([aBatchLine({ product: display })]);
  expect(await screen.findByText('PF-X1, 50')).toBeVisible();
  expect(rowNumbers()).toEqual(['2', '1']);
  shop.answer(addBatchFile, aList([aBatchLine({ product: display })], [{ ...unread, text: 'PF-X2, 5' }]));
  await chooseFile(again, new File(['PF-X2, 5'], 'more.csv'));
  expect(await screen.findByText('PF-X2, 5')).toBeVisible();
  expect(rowNumbers()).toEqual(['', '2', '1']);
});

test.each([
  [
    'rows copied from a spreadsheet',
    { text: 'PF-D6101\t50', files: [new File(['x'], 'a.png', { type: 'image/png' })] },
    addBatchLines,
  ],
  ['a copied file', { text: 'list.csv', files: [new File(['PF-D6101;50'], 'list.csv')] }, addBatchFile],
])('%s can be pasted anywhere on the page', async (_, { text, files }, call) => {
  await openBatch([aBatchLine({ product: motor })]);
  shop.answer(call, aList([aBatchLine({ product: display })]));
  fireEvent.paste(document.body, { clipboardData: { files, getData: () => text } });
  expect(await quantityField('Display')).toBeVisible();
});

test('an overlong paste is sent as a file', async () => {
  const page = await openBatch([]);
  shop.answer(addBatchFile, aList([aBatchLine({ product: display })]));
  await pasteLines(page, 'PF-D6101;50\n'.repeat(2000));
  expect(await quantityField('Display')).toBeVisible();
  expect(shop.getRequests(addBatchLines)).toEqual([]);
});

test('an unreadable file and a drop of two files are refused', async () => {
  const page = await openBatch([]);
  const file = new File(['PF-D6101;50'], 'cloud.csv', { type: 'text/csv' });
  file.arrayBuffer = () => Promise.reject(new DOMException('', 'NotReadableError'));
  await chooseFile(page, file);
  expect(await screen.findByText(/^“cloud.csv” cannot be read/)).toBeVisible();
  fireEvent.drop(document.body, { dataTransfer: { files: [file, file] } });
  expect(await screen.findByText('These are 2 files. Choose one at a time.')).toBeVisible();
  expect(shop.getRequests(addBatchFile)).toEqual([]);
});

test('a file chosen while lines are added has to wait', async () => {
  const page = await openBatch([]);
  shop.answer(addBatchLines, aList([aBatchLine({ product: display })]));
  const release = shop.hold(addBatchLines);
  await pasteLines(page, 'PF-D6101, 50');
  await chooseFile(page, new File(['PF-D6102;60'], 'parts.csv', { type: 'text/csv' }));
  expect(await screen.findByText(/^Lines are still being added\./)).toBeVisible();
  release();
  expect(await quantityField('Display')).toBeVisible();
  expect(shop.getRequests(addBatchFile)).toEqual([]);
});

test('a file does not replace lines that wait in the field', async () => {
  const page = await openBatch([]);
  await page.user.type(linesField(), 'PF-D6101, 50');
  shop.answer(addBatchFile, aList([aBatchLine({ product: motor })]));
  fireEvent.drop(linesField(), { dataTransfer: { files: [new File(['PF-B4501;100'], 'list.csv')] } });
  expect(await quantityField('Motor')).toBeVisible();
  expect(linesField()).toHaveValue('PF-D6101, 50');
});

test("the last order's address and phone stand as text", async () => {
  await openBatch([aBatchLine()], [anOrder({ address: 'Ring Road 4', phone: '233111' })]);
  expect(await screen.findByText('Ring Road 4')).toBeVisible();
  expect(screen.getByText('233111')).toBeVisible();
  expect(screen.queryByLabelText('Address')).not.toBeInTheDocument();
});

test('the form warns about letters that invoices cannot print', async () => {
  await openBatch([aBatchLine()], [anOrder({ address: '東京都' })]);
  expect(await screen.findByText(/^Invoices print Latin, Greek and Cyrillic letters/)).toBeVisible();
});

test('a line with another saved quantity stays, and the page says so', async () => {
  const line = aBatchLine({ product: display, quantity: 50 });
  const { user } = await openBatch([line], [anOrder({ address: 'Ring Road 4' })]);
  await screen.findByText('Ring Road 4');
  shop.answer(placeBatch, { batch: 'the-batch', insertedIds: ['one'] });
  shop.answer(readBatch, { data: [{ ...line, quantity: 500 }] });
  shop.answer(listOrders, { data: [anOrder({ _id: 'one', batch: 'the-batch' })] });
  await user.click(screen.getByRole('button', { name: /^Place 1 order/ }));
  expect(await screen.findByText('1 line stays in the batch with another quantity.')).toBeVisible();
});

test('lines of before the sign-in without room are named', async () => {
  const refused = [{ productId: motor._id, name: motor.name, reason: 'batch-full' as const }];
  const batch = { join: 'x', lines: [{ productId: motor._id, quantity: 400 }] };
  localStorage.setItem('batch', JSON.stringify(batch));
  shop.answer(joinBatch, { data: [aBatchLine({ product: display })], left: refused });
  const { user } = await openBatch([aBatchLine({ product: display })]);
  expect(await screen.findByText(/^1 line of the list from before you signed in/)).toBeVisible();
  expect(screen.getByText(motor.name)).toBeVisible();
  expect(
    screen.getByText(/They are added as soon as they fit: .* of 100,000,000 pieces each\.$/),
  ).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Discard them' }));
  expect(localStorage.getItem('batch')).toBeNull();
});

test('a batch is placed with all lines and leads to one payment', async () => {
  const lines = [
    aBatchLine({ product: display, quantity: 50 }),
    aBatchLine({ product: motor, quantity: 400 }),
  ];
  const { user, getAddress } = await openBatch(lines, [anOrder({ address: 'Ring Road 4' })]);
  await screen.findByText('Ring Road 4');
  shop.answer(placeBatch, { batch: 'the-batch', insertedIds: ['one', 'two'] });
  const placed = [
    anOrder({
      _id: 'one',
      number: 10_423,
      totalPrice: 3225,
      batch: 'the-batch',
      productName: 'Display',
      withoutTax: true,
    }),
    anOrder({
      _id: 'two',
      number: 10_424,
      totalPrice: 1160,
      batch: 'the-batch',
      withoutTax: true,
      productName: 'Motor',
      partNumber: 'PF-H2501',
    }),
  ];
  shop.answer(listOrders, { data: placed.toReversed() });
  shop.answer(readBatch, { data: [] });
  await user.type(screen.getByLabelText('Your reference (optional)'), 'PO 4711');
  await user.click(await placeButton());
  expect(await screen.findByRole('heading', { level: 1, name: '2 orders placed' })).toHaveFocus();
  expect(getAddress()).toBe('/dashboard/batch/the-batch');
  expect(shop.getSentBody(placeBatch)).toEqual({
    email: 'amara@repair.example',
    address: 'Ring Road 4',
    phone: '233302771204',
    reference: 'PO 4711',
    lines: [
      { productId: display._id, quantity: 50, totalPrice: 3225 },
      { productId: motor._id, quantity: 400, totalPrice: 1160 },
    ],
  });
  expect(shop.getRequests(placeBatch)[0]?.headers.get('idempotency-key')).toMatch(/^[0-9a-f]{32}$/);
  expectLink('Pay all, $4,385.00', '/dashboard/payment?orders=one,two');
  expectLink('10423', '/dashboard/order/one');
  expect(screen.getByRole('columnheader', { name: 'Total price without tax' })).toBeVisible();
  const names = screen.getAllByRole('rowheader').map((cell) => cell.textContent);
  expect(names).toEqual(['DisplayPF-D6101', 'MotorPF-H2501']);
});

test("a placed batch has the day of the shop's time zone", async () => {
  shop.signIn('user');
  shop.answer(readConfig, { ...aConfig(), timeZone: 'Pacific/Auckland' });
  shop.answer(listOrders, { data: [anOrder({ batch: 'one', createdAt: '2026-11-26T18:00:00.000Z' })] });
  await openPage('/dashboard/batch/one');
  expect(await screen.findByText('Batch of 27 Nov 2026')).toBeVisible();
});

test("a placed batch's reference is not kept for the next one", async () => {
  const { user } = await openFilledBatch();
  shop.answer(placeBatch, { batch: 'the-batch', insertedIds: ['one'] });
  await user.type(screen.getByLabelText('Your reference (optional)'), 'PO 4711');
  await user.click(await placeButton());
  await screen.findByRole('heading', { level: 1, name: '1 order placed' });
  await user.click(
    within(screen.getByRole('navigation', { name: 'Dashboard' })).getByRole('link', { name: /^Batch/ }),
  );
  expect(await screen.findByLabelText('Your reference (optional)')).toHaveValue('');
});

test('typed lines that were not added survive Back and reload', async () => {
  const { user } = await openBatch([]);
  await user.type(await screen.findByLabelText('Lines to add'), 'PF-D6101, 250');
  window.dispatchEvent(new Event('pagehide'));
  const menu = within(screen.getByRole('navigation', { name: 'Dashboard' }));
  await user.click(menu.getByRole('link', { name: 'My Orders' }));
  await screen.findByRole('heading', { level: 1, name: 'My Orders' });
  await user.click(menu.getByRole('link', { name: /^Batch/ }));
  expect(await screen.findByLabelText('Lines to add')).toHaveValue('PF-D6101, 250');
});

test('a refusal marks the lines, places nothing and links the first', async () => {
  const { user } = await openFilledBatch([
    aBatchLine({ product: display, quantity: 500 }),
    aBatchLine({ product: motor, quantity: 400 }),
  ]);
  shop.refuse(placeBatch, 'above-stock', {
    lines: [{ index: 0, code: 'above-stock', detail: 'maximum order range 110', quantity: 110 }],
  });
  shop.answer(readBatch, {
    data: [
      aBatchLine({ product: { ...display, quantity: 110 }, quantity: 500 }),
      aBatchLine({ product: motor, quantity: 400 }),
    ],
  });
  await user.click(await placeButton());
  const alert = await screen.findByRole('alert');
  await waitFor(() =>
    expect(alert).toHaveTextContent('1 of 2 lines cannot be ordered as it is. Nothing was placed.'),
  );
  expectLink('Go to the first', `#quantity-${display._id}`, within(alert));
  expect(await quantityField('Display')).toHaveAccessibleDescription(
    '110 of 500 are in stock. Order 100 or fewer.',
  );
  expect(await quantityField('Motor')).toBeValid();
});

test('changed prices are shown first; placing again sends them', async () => {
  const { user } = await openFilledBatch([aBatchLine({ product: motor, quantity: 400 })]);
  shop.refuse(placeBatch, 'price-changed', {
    lines: [{ index: 0, code: 'price-changed', detail: 'It changed.', price: 3 }],
  });
  shop.answer(readBatch, {
    data: [aBatchLine({ product: { ...motor, price: 3 }, quantity: 400, price: 2.9 })],
  });
  await user.click(await placeButton());
  expect(await screen.findByText('Prices have changed.')).toBeVisible();
  expect(total()).toHaveTextContent('$1,200.00');
  shop.answer(placeBatch, { batch: 'b', insertedIds: ['one'] });
  await user.click(await placeButton());
  await waitFor(() => expect(shop.getRequests(placeBatch)).toHaveLength(2));
  const [first, second] = shop.getRequests(placeBatch);
  expect(second?.body).toMatchObject({ lines: [{ totalPrice: 1200 }] });
  expect(first?.headers.get('idempotency-key')).not.toBe(second?.headers.get('idempotency-key'));
});

test('a batch without a response is sent again under its key', async () => {
  const { user } = await openFilledBatch();
  shop.disconnect(placeBatch);
  await user.click(await placeButton());
  expect(await screen.findByText('No answer came.')).toBeVisible();
  await user.click(await placeButton());
  await waitFor(() => expect(shop.getRequests(placeBatch)).toHaveLength(2));
  const [first, second] = shop.getRequests(placeBatch);
  expect(first?.headers.get('idempotency-key')).toBe(second?.headers.get('idempotency-key'));
});

test("the browser's own list is saved before the page shows it", async () => {
  localStorage.setItem(
    'batch',
    JSON.stringify({ join: 'a-name', lines: [{ productId: display._id, quantity: 50 }] }),
  );
  shop.answer(joinBatch, { data: [aBatchLine({ product: display })], left: [] });
  await openBatch([aBatchLine({ product: display })]);
  expect(await quantityField('Display')).toHaveValue('50');
  expect(shop.getSentBody(joinBatch)).toEqual({
    join: 'a-name',
    lines: [{ productId: display._id, quantity: 50 }],
  });
  expect(localStorage.getItem('batch')).toBeNull();
});

test('a batch without open orders says so; a paid one asks nothing', async () => {
  shop.signIn();
  shop.answer(listOrders, { data: [] });
  await openPage('/dashboard/batch/the-batch');
  expect(await screen.findByText('These orders have ended')).toBeVisible();
  shop.answer(listOrders, { data: [anOrder({ status: 'pending' })] });
  await openPage('/dashboard/batch/the-batch');
  expect(await screen.findByRole('heading', { name: '1 order placed' })).toBeVisible();
  expect(screen.queryByRole('link', { name: /^Pay/ })).not.toBeInTheDocument();
});

test('an emptied field keeps no earlier error', async () => {
  const { user } = await openBatch([]);
  const field = linesField();
  await user.click(screen.getByRole('button', { name: 'Add lines' }));
  expect(field).toBeInvalid();
  expect(field).toHaveFocus();
  await user.type(field, 'P');
  expect(field).toBeValid();
});

test('unread lines are named before the rest is placed', async () => {
  const { user } = await openBatch([aBatchLine({ product: display, quantity: 50 })]);
  await user.type(linesField(), 'PF-D6101, 200\nPF-X1, 50');
  expect(await screen.findByText('2 lines are left out:')).toBeVisible();
  expect(await placeButton()).toHaveAccessibleDescription(/2 lines are left out/);
  expect(await placeButton()).toBeEnabled();
  await user.click(screen.getByRole('link', { name: 'Go to them' }));
  expect(linesField()).toHaveFocus();
  await user.clear(linesField());
  expect(screen.queryByText(/left out/)).not.toBeInTheDocument();
});

describe("a batch above one payment's limit", () => {
  const many = aProduct({ name: 'Board', price: 99_999.9, quantity: 1000, minimumOrder: 5 });

  test("a batch above one payment's limit says so before placing", async () => {
    await openBatch(
      [1, 2, 3].map(() => aBatchLine({ product: { ...many, _id: crypto.randomUUID() }, quantity: 5 })),
    );
    expect(await screen.findByText(/^One payment takes at most \$999,999.99/)).toBeVisible();
    expect(await placeButton()).toBeEnabled();
  });

  test('a placed batch above the limit is paid in parts', async () => {
    const batch = crypto.randomUUID();
    const orders = ['A', 'B', 'C'].map((productName) =>
      anOrder({ productName, batch, totalPrice: 499_999.5 }),
    );
    shop.signIn();
    shop.answer(listOrders, { data: orders });
    await openPage(`/dashboard/batch/${batch}`);
    const way = await screen.findByRole('link', { name: 'Pay 2 of 3 orders, $999,999.00' });
    const ids = orders.slice(0, 2).map(({ _id }) => _id);
    expect(way).toHaveAttribute('href', `/dashboard/payment?orders=${ids.join()}`);
  });
});

import { writeAlias } from '@parts-forge/contract/orders/aliases';
import {
  type AddedList,
  addBatchFile,
  addBatchLines,
  type BatchLine,
  clearBatch,
  joinBatch,
  readBatch,
  removeBatchLine,
  type UnreadBatchLine,
  writeBatchLine,
  writeBatchLines,
} from '@parts-forge/contract/orders/batch';
import { listOrders } from '@parts-forge/contract/orders/orders';
import { listProducts } from '@parts-forge/contract/products/products';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { aBatchLine, aProduct } from '#test/builders.ts';
import { expectLink } from '#test/expect-link.ts';
import { startFakeShop } from '#test/fake-shop.ts';
import { closePage, type OpenPage, openPage } from '#test/open-page.tsx';
import { setOnline } from '#test/set-online.ts';

const shop = startFakeShop();

const display = aProduct({ name: 'Display', price: 64.5, orderStep: 25, number: 'PF-D6101' });
const motor = aProduct({ name: 'Motor', price: 2.9, minimumOrder: 250 });

async function openBatch(lines: BatchLine[]) {
  shop.signIn();
  shop.answer(readBatch, { data: lines });
  shop.answer(listOrders, { data: [] });
  const page = await openPage('/dashboard/batch');
  if (lines.length > 0)
    await page.user.click(await screen.findByRole('button', { name: 'Add lines or a file' }));
  await screen.findByLabelText('Lines to add');
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
const strip = () => screen.getByRole('status', { name: 'List' });
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

test('an own price stands above the list’s, which is not struck', async () => {
  await openBatch([aBatchLine({ product: display, ownPrices: [{ fromQuantity: 1, price: 60 }], price: 60 })]);
  const each = (await row('Display')).getByText('list $64.50').closest('td');
  expect(each).toHaveTextContent('$60.00list $64.50');
  expect(each?.querySelector('s')).toBeNull();
});

test('tabs show a part of the lines until a link leads elsewhere', async () => {
  const changed = aBatchLine({ product: aProduct({ name: 'Board' }), price: 1 });
  const short = aBatchLine({ product: motor, quantity: 100 });
  const { user } = await openBatch([short, aBatchLine({ product: display }), changed]);
  const tabs = within(screen.getByRole('navigation', { name: 'Lines' })).getAllByRole('link');
  expect(tabs.map((tab) => tab.textContent)).toEqual(['All3', 'to decide1', 'ready2', 'price changed1']);
  await user.click(tabs[3] as HTMLElement);
  await waitFor(() => expect(rowNames()).toEqual(['1 ready', 'Board']));
  await user.click(screen.getByRole('link', { name: '1 to decide' }));
  await waitFor(async () => expect(await quantityField('Motor')).toHaveFocus());
  expect(rowNames()).toEqual(['1 to decide', 'Motor', '2 ready', 'Display', 'Board']);
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
  expect(strip()).toHaveTextContent('Your lines: 1 of 3 lines read.');
  expect(linesField()).toHaveValue('');
  expect(rowNumbers()).toEqual(['2', '3', '1']);
  expectLink('Search for “batteries”', '/all-products?q=batteries');
  await page.user.click(screen.getByRole('link', { name: '2 to decide' }));
  const focusedRow = () => document.activeElement?.closest('tr');
  expect(focusedRow()).toHaveTextContent('PF_D610I');
  await page.user.click(screen.getByRole('button', { name: 'Remove line 3, batteries 500' }));
  expect(screen.queryByText('batteries 500')).not.toBeInTheDocument();
  expect(focusedRow()).toHaveTextContent('PF_D610I');
  expect(strip()).toHaveTextContent('1 of 3 lines read. Decided since then: 1 of 2.');
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
  shop.disconnect(listProducts);
  const { queryClient } = await import('#app/calls/query-client.ts');
  setOnline(false);
  await page.user.type(await find(), 'dis');
  const readStatus = () => queryClient.getQueryState(['products', 'found', 'dis'])?.fetchStatus;
  await waitFor(() => expect(readStatus()).toBe('paused'));
  expect(screen.getByText('Searching …')).toBeVisible();
  setOnline(true);
  expect(await screen.findByText('The server did not answer.')).toBeVisible();
  shop.answerPage(listProducts, [display], '1');
  await page.user.type(await find(), 'p');
  expect(screen.getByText('Searching …')).toBeVisible();
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
  expect(screen.getByRole('heading', { level: 1 })).toHaveFocus();
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

test('a file of more than 5 MB is refused and not sent', async () => {
  const page = await openBatch([]);
  await chooseFile(page, new File(['PF-D6101,250\n'.repeat(410_000)], 'film.csv'));
  expect(await screen.findByText(/^“film.csv” is larger than 5 MB/)).toBeVisible();
  expect(screen.getByLabelText('Choose another file')).toBeInTheDocument();
  expect(shop.getRequests(addBatchFile)).toEqual([]);
});

test.each(['order.xlsx', 'order.pdf', 'order.csv'])('the file %s is read by the shop', async (name) => {
  const page = await openBatch([]);
  shop.answer(addBatchFile, aList([aBatchLine({ product: display })], [], { read: 'Read as a list.' }));
  const release = shop.hold(addBatchFile);
  await chooseFile(page, new File(['…'], name));
  await waitFor(() => expect(strip()).toHaveTextContent(`Reading ${name} …`));
  release();
  await waitFor(() => expect(strip()).toHaveTextContent(`${name}: Read as a list.Take it back`));
  await waitFor(() => expect(strip()).toHaveFocus());
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
  expect(strip()).toHaveTextContent('two.csv: which column holds the pieces?');
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

test('a file or text has to wait while lines are added', async () => {
  const page = await openBatch([]);
  shop.answer(addBatchLines, aList([aBatchLine({ product: display })]));
  const release = shop.hold(addBatchLines);
  await pasteLines(page, 'PF-D6101, 50');
  await chooseFile(page, new File(['PF-D6102;60'], 'parts.csv', { type: 'text/csv' }));
  expect(await screen.findByText(/^Lines are still being added\. Choose/)).toBeVisible();
  fireEvent.paste(document.body, { clipboardData: { files: [], getData: () => 'PF-D6102;60' } });
  expect(await screen.findByText(/^Lines are still being added\. Paste/)).toBeVisible();
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

import { createDownload } from '@parts-forge/contract/files/downloads';
import {
  applyImport,
  type Import,
  importProducts,
  listImports,
  readImport,
} from '@parts-forge/contract/products/catalogue';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { startFakeShop } from '#test/fake-shop.ts';
import { openPage } from '#test/open-page.tsx';

const shop = startFakeShop();

const preview: Import = {
  _id: '01a1fe55-4eaf-7194-bacc-000000000001',
  name: 'parts.csv',
  kind: 'parts',
  undoes: null,
  kinds: [],
  state: 'preview',
  createdAt: '2026-11-28T09:00:00.000Z',
  appliedAt: null,
  columns: [
    { name: 'SKU', column: 'number' },
    { name: 'MOQ2', column: null },
  ],
  notes: [],
  counts: { new: 1, changed: 1, unchanged: 7, refused: 1, warned: 0, done: 0, leftOut: 0 },
  problems: [{ line: 4, column: 'price', message: '“173,900” may be 173900 or 173.900.' }],
  lines: [
    {
      line: 2,
      number: 'PF-D6701',
      name: 'OLED display',
      isNew: false,
      changes: [{ column: 'price', was: '89.00', will: '91.00' }],
    },
    { line: 3, number: 'PF-N1', name: 'New part', isNew: true, changes: [] },
  ],
};
const applied: Import = {
  ...preview,
  state: 'applied',
  appliedAt: preview.createdAt,
  counts: { ...preview.counts, done: 2, leftOut: 1 },
  problems: [...preview.problems, { line: 3, column: '', message: 'PF-N1: The number is taken.' }],
};

async function openCatalogueFile(query = '', files: Import[] = []) {
  shop.signIn('admin');
  shop.answer(listImports, { data: files });
  const page = await openPage(`/dashboard/catalogue-file${query}`);
  await screen.findByRole('heading', { level: 1, name: 'Catalogue by File' });
  return page;
}

const GONE = /^This no longer exists\. A preview is kept for a day/;

const choose = (name: string) =>
  fireEvent.change(screen.getByLabelText('Choose a CSV file or workbook'), {
    target: { files: [new File(['number,add\nPF-1,5'], name)] },
  });

test('the latest files can be read again after a failure', async () => {
  shop.signIn('admin');
  shop.refuse(listImports, 'unavailable');
  const { user } = await openPage('/dashboard/catalogue-file');
  await screen.findByText('The latest files could not be loaded');
  shop.answer(listImports, { data: [applied] });
  await user.click(screen.getByRole('button', { name: /again/i }));
  expect(await screen.findByRole('heading', { name: 'Latest files' })).toBeVisible();
});

test('a preview has old and new values, and its own address', async () => {
  const page = await openCatalogueFile();
  shop.answer(importProducts, { data: preview });
  shop.answer(readImport, { data: preview });
  choose('parts.csv');
  const stage = within(await screen.findByRole('region', { name: '3 What will change' }));
  const tally = stage.getByText('unchanged').closest('dl');
  expect(tally).toHaveTextContent('to change1new1unchanged7left out1');
  expect(page.getAddress()).toBe(`/dashboard/catalogue-file?import=${preview._id}`);
  const row = screen.getByRole('row', { name: /OLED display/ });
  expect(row).toHaveTextContent(/price 89.00 91.00$/);
  expect(screen.getByText(/^Undo for 30 days\. It removes new parts; bought ones stay/)).toBeVisible();
  const wrong = within(screen.getByRole('alert', { name: '1 line is left out' }));
  expect(wrong.getByText('Line 4')).toBeVisible();
  expect(wrong.getByText('price')).toBeVisible();
  const problems = screen.getByRole('heading', { name: '1 line is left out' });
  expect(problems.compareDocumentPosition(row)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  expect(screen.getByText('1 of 2 are used; “MOQ2” not')).toBeVisible();
  expect(shop.getRequests(importProducts)[0]?.query.get('name')).toBe('parts.csv');
});

test('a chip lists the lines of one kind alone', async () => {
  const kinds = [
    { name: 'price', lines: 2 },
    { name: 'price-jump', lines: 1 },
  ];
  const [first] = preview.lines;
  const jump = first && { ...first, line: 9, changes: [{ column: 'price', was: '89.00', will: '60.00' }] };
  shop.respond(readImport, ({ query }) => {
    const lines = query.has('only') ? [jump] : preview.lines;
    return Response.json({ data: { ...preview, kinds, lines } });
  });
  const { user, getAddress } = await openCatalogueFile(`?import=${preview._id}`);
  expect(await screen.findByRole('button', { name: 'All 2' })).toHaveAttribute('aria-pressed', 'true');
  const release = shop.hold(readImport);
  await user.click(screen.getByRole('button', { name: 'price changes by over 15 % 1' }));
  const region = screen.getByRole('region', { name: '3 What will change' });
  await waitFor(() => expect(region).toHaveAttribute('aria-busy', 'true'));
  release();
  expect(await screen.findByText('32.6 % less')).toBeVisible();
  expect(region).not.toHaveAttribute('aria-busy');
  expect(screen.queryByText('91.00')).toBeNull();
  expect(getAddress()).toBe(`/dashboard/catalogue-file?import=${preview._id}&only=price-jump`);
  expect(screen.getByRole('button', { name: 'Apply 2 changes' })).toBeVisible();
});

test.each([
  [7, '2 more problems'],
  [100, 'The first 100 problems'],
])('five problems come first, and the others on demand: %s', async (count, more) => {
  const problems = Array.from({ length: count }, (_, at) => ({
    line: at + 2,
    column: 'price',
    message: 'No price',
  }));
  shop.answer(readImport, { data: { ...preview, problems } });
  const { user } = await openCatalogueFile(`?import=${preview._id}`);
  expect(await screen.findAllByText(/^Line \d/)).toHaveLength(5);
  await user.click(screen.getByRole('button', { name: more }));
  expect(screen.getAllByText(/^Line \d/)).toHaveLength(count);
  expect(screen.getByRole('heading', { name: '1 line is left out' })).toHaveFocus();
});

test('an empty page has an example to copy into a spreadsheet', async () => {
  const { user } = await openCatalogueFile();
  await user.click(screen.getByRole('button', { name: 'Copy the example' }));
  const [heads, first] = (await navigator.clipboard.readText()).split('\n');
  expect(heads?.split('\t')).toEqual(expect.arrayContaining(['number', 'price', 'stock was', 'stock']));
  expect(first?.split('\t')).toHaveLength(7);
});

test('an empty page has an example of customers’ prices', async () => {
  const { user } = await openCatalogueFile();
  await user.click(screen.getByRole('button', { name: 'Copy the example of prices' }));
  const [heads] = (await navigator.clipboard.readText()).split('\n');
  expect(heads?.split('\t')).toEqual(['customer', 'number', 'from', 'price', 'until']);
});

test('a line of prices names its customer and quantity', async () => {
  const [first] = preview.lines;
  const line = first && { ...first, customer: 'ana@shop.test', from: 50 };
  const file = { ...applied, kind: 'prices' as const, problems: [], lines: line ? [line] : [] };
  shop.answer(readImport, { data: file });
  await openCatalogueFile(`?import=${preview._id}`);
  expect(await screen.findByText('ana@shop.test, from 50 pieces')).toBeVisible();
  expect(screen.getByRole('heading', { name: '1 price changed' })).toBeVisible();
});

test('the latest files lead back to result and undo', async () => {
  shop.answer(readImport, { data: applied });
  const { user, getAddress } = await openCatalogueFile('', [{ ...applied, name: 'prices.csv' }]);
  expect(await screen.findByText('1 changed, 2 left out')).toBeVisible();
  await user.click(screen.getByRole('link', { name: 'prices.csv' }));
  expect(await screen.findByRole('button', { name: 'File that undoes it' })).toBeVisible();
  expect(getAddress()).toBe(`/dashboard/catalogue-file?import=${preview._id}`);
});

test('Undo leads to the preview of the file that undoes it', async () => {
  const { user, getAddress } = await openCatalogueFile('', [applied]);
  const undo = { ...preview, _id: preview._id.replace(/1$/, '2'), undoes: applied._id };
  shop.answer(createDownload, { url: '/downloads/a-link', expiresIn: 60 });
  shop.respond('GET /downloads/a-link', () => new Response('number,price\nPF-D6701,89.00'));
  shop.answer(importProducts, { data: undo });
  shop.answer(readImport, { data: undo });
  await user.click(await screen.findByRole('button', { name: 'Undo parts.csv' }));
  expect(await screen.findByRole('heading', { name: /What will change/ })).toHaveFocus();
  expect(getAddress()).toBe(`/dashboard/catalogue-file?import=${undo._id}`);
  const [sent] = shop.getRequests(importProducts);
  expect(sent?.query.toString()).toBe(`name=Undo+of+parts.csv&undoes=${applied._id}`);
  expect(shop.getRequests(applyImport)).toEqual([]);
});

test('a file that removed parts alone is not undone, and says so', async () => {
  const { user } = await openCatalogueFile('', [applied]);
  shop.answer(createDownload, { url: '/downloads/a-link', expiresIn: 60 });
  shop.respond('GET /downloads/a-link', () => new Response('\ufeff\r\n'));
  await user.click(await screen.findByRole('button', { name: 'Undo parts.csv' }));
  expect(await screen.findByText('No file brings a removed part back.')).toBeVisible();
});

const undo = { ...applied, _id: 'undo', name: 'undo.csv', undoes: applied._id };

test.each([
  ['applied', [undo], /undone 28 Nov 2026/],
  ['undone, too', [{ ...applied, _id: 'redo', name: 'redo.csv', undoes: 'undo' }, undo], /Undo$/],
  ['left out', [{ ...undo, counts: { ...undo.counts, leftOut: 2 } }], /Undo$/],
])('the list says what was undone, by an undo that was %s', async (_, files, words) => {
  await openCatalogueFile('', [...files, applied]);
  const link = await screen.findByRole('link', { name: 'parts.csv' });
  expect(link.closest('li')).toHaveTextContent(words);
});

test.each([
  ['parts.csv', 'text/csv'],
  ['parts.XLSX', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
])('the file %s is sent as its kind', async (name, type) => {
  await openCatalogueFile();
  shop.answer(importProducts, { data: preview });
  shop.answer(readImport, { data: preview });
  choose(name);
  await waitFor(() => expect(shop.getRequests(importProducts)[0]?.headers.get('content-type')).toBe(type));
  await screen.findByText('What will change');
});

test('a refused file is explained, and nothing is changed', async () => {
  const { user } = await openCatalogueFile('', [applied]);
  shop.refuse(importProducts, 'invalid', { detail: 'This file has no lines below its column names.' });
  choose('parts.csv');
  expect(
    await screen.findByText(/This file has no lines below its column names\. Nothing is changed\./),
  ).toBeVisible();
  shop.answer(readImport, { data: applied });
  await user.click(screen.getByRole('link', { name: 'parts.csv' }));
  await screen.findByRole('heading', { name: '1 part changed' });
  expect(screen.queryByText(/has no lines/)).toBeNull();
});

test('another file takes the former preview away at once', async () => {
  shop.answer(readImport, { data: preview });
  await openCatalogueFile(`?import=${preview._id}`);
  await screen.findByRole('button', { name: 'Apply 2 changes' });
  shop.refuse(importProducts, 'invalid', { detail: 'This file is empty.' });
  fireEvent.change(screen.getByLabelText('Other file'), {
    target: { files: [new File([''], 'x.csv')] },
  });
  expect(await screen.findByText(/This file is empty/)).toBeVisible();
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Apply 2 changes' })).toBeNull());
});

test('a preview that is no longer kept asks for its file again', async () => {
  shop.answer(readImport, { data: preview });
  const { user } = await openCatalogueFile(`?import=${preview._id}`);
  shop.refuse(applyImport, 'not-found');
  await user.click(await screen.findByRole('button', { name: 'Apply 2 changes' }));
  expect(await screen.findByText(GONE)).toBeVisible();
});

test('the address of a forgotten file asks for one', async () => {
  shop.refuse(readImport, 'not-found');
  await openCatalogueFile(`?import=${preview._id}`);
  expect(await screen.findByText(GONE)).toBeVisible();
  expect(screen.getByLabelText('Choose a CSV file or workbook')).toBeVisible();
});

test('Apply shows what was left out, and how to undo it', async () => {
  shop.answer(readImport, { data: preview });
  const { user } = await openCatalogueFile(`?import=${preview._id}`);
  shop.answer(applyImport, { data: applied });
  const apply = await screen.findByRole('button', { name: 'Apply 2 changes' });
  shop.answer(readImport, { data: applied });
  await user.click(apply);
  expect(await screen.findByRole('heading', { name: '1 part changed' })).toHaveFocus();
  const tally = screen.getByText('unchanged').closest('dl');
  expect(tally).toHaveTextContent('changed1to change0unchanged7left out2');
  expect(screen.getByText('PF-N1: The number is taken.')).toBeVisible();
  shop.refuse(createDownload, 'too-many');
  await user.click(screen.getByRole('button', { name: 'File that undoes it' }));
  await waitFor(() =>
    expect(shop.getRequests(createDownload)[0]?.body).toEqual({
      what: 'import',
      import: preview._id,
      part: 'undo',
    }),
  );
});

test('Apply asks before it applies lines with a warning', async () => {
  const [line] = preview.lines;
  const warning = 'The price moves by more than half.';
  const lines = line ? [{ ...line, warning }] : [];
  const counts = { ...preview.counts, new: 0, warned: 1 };
  shop.answer(readImport, { data: { ...preview, counts, lines } });
  const { user } = await openCatalogueFile(`?import=${preview._id}`);
  expect(await screen.findByText(warning)).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Apply 1 change, 1 with a warning' }));
  const dialog = within(screen.getByRole('dialog', { name: 'Apply 1 change?' }));
  expect(dialog.getByText(/^1 line has a warning/)).toBeVisible();
  shop.answer(applyImport, { data: applied });
  await user.click(dialog.getByRole('button', { name: 'Apply' }));
  await waitFor(() => expect(shop.getRequests(applyImport)).toHaveLength(1));
});

import { type BulkChange, type BulkLine, changeProducts } from '@parts-forge/contract/stock';
import { fireEvent, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { startFakeShop } from '#test/fake-shop.ts';
import { openPage } from '#test/open-page.tsx';

const shop = startFakeShop();

async function openRestockCsv() {
  shop.signIn('admin');
  playShop();
  const page = await openPage('/dashboard/restock-csv');
  await screen.findByRole('heading', { level: 1, name: 'Restock by CSV' });
  return page;
}

const product = { _id: '01a1fe55-4eaf-7194-bacc-000000000001', name: 'OLED display', image: '/a-1280.webp' };
const before = { quantity: 12_600, price: 89, version: 4 };

/** The shop has the parts PF-D6701 and PF-B4501. */
function judge({ number, add = 0, price = 89 }: BulkChange): BulkLine {
  if (!['PF-D6701', 'PF-B4501'].includes(number)) {
    const error = { code: 'not-found' as const, detail: `No part has the number ${number}.` };
    return { number, ok: false, before: null, after: null, error };
  }
  const after = { quantity: before.quantity + add, price, version: price === 89 ? 4 : 5 };
  return { number, ok: true, product, before, after };
}
function playShop(): void {
  shop.respond(changeProducts, ({ body }) => {
    const { changes, apply = false } = body as { changes: BulkChange[]; apply?: boolean };
    return Response.json({ lines: changes.map(judge), applied: apply });
  });
}

const choose = (text: string, label = 'Choose a CSV file') =>
  fireEvent.change(screen.getByLabelText(label), {
    target: { files: [new File([text], 'restock.csv', { type: 'text/csv' })] },
  });
const text =
  'number,add,price,MOQ\nPF-D6701,5000,91.00,1\nPF-B4501,20000,\nPF-B9999,500\nPF-W1501,2k\nPF-X0001,,\n';

test('a file is shown line by line and changes nothing before Apply', async () => {
  await openRestockCsv();
  choose(text);
  expect(
    await screen.findByText('2 parts: 25,000 pieces added, 1 price changed. Nothing is changed yet.'),
  ).toBeVisible();
  expect(screen.getByText('Columns that are not used: “MOQ”.')).toBeVisible();
  const wrong = within(screen.getByRole('alert', { name: '2 lines are left out' }));
  expect(wrong.getByText('Line 4')).toBeVisible();
  expect(wrong.getByText('No part has the number PF-B9999.')).toBeVisible();
  expect(wrong.getByText('“2k” is not a whole number. Write digits only.')).toBeVisible();
  const [row] = screen.getAllByRole('row', { name: /OLED display/ });
  for (const cell of ['2', '+5,000', '12,600 → 17,600', '$89.00 → $91.00']) {
    expect(within(row as HTMLElement).getByRole('cell', { name: cell })).toBeVisible();
  }
  const sent = shop.getRequests(changeProducts);
  expect(sent.map(({ body }) => body)).toEqual([
    {
      changes: [
        { number: 'PF-D6701', add: 5000, price: 91 },
        { number: 'PF-B4501', add: 20_000 },
        { number: 'PF-B9999', add: 500 },
      ],
    },
  ]);
});

test('Apply sends the good lines, and a retry is identical', async () => {
  const { user } = await openRestockCsv();
  choose(text);
  const apply = await screen.findByRole('button', { name: 'Apply 2 changes' });
  shop.disconnect(changeProducts);
  await user.click(apply);
  expect(await screen.findByText(/nothing is applied twice/)).toBeVisible();
  playShop();
  await user.click(apply);
  expect(await screen.findByRole('heading', { name: '2 parts changed' })).toHaveFocus();
  const [, first, second] = shop.getRequests(changeProducts);
  expect(second?.body).toEqual({
    changes: [
      { number: 'PF-D6701', add: 5000, price: 91, version: 4 },
      { number: 'PF-B4501', add: 20_000 },
    ],
    apply: true,
  });
  expect(first?.body).toEqual(second?.body);
  expect(first?.headers.get('idempotency-key')).toMatch(/^[0-9a-f]{32}$/);
  expect(second?.headers.get('idempotency-key')).toBe(first?.headers.get('idempotency-key'));
  await user.click(screen.getByRole('button', { name: 'Next file' }));
  expect(screen.getByLabelText('Choose a CSV file')).toHaveFocus();
});

test('a line that fails at Apply is listed with the others', async () => {
  const { user } = await openRestockCsv();
  choose('PF-D6701,5000\nPF-B4501,,95');
  const apply = await screen.findByRole('button', { name: 'Apply 2 changes' });
  shop.respond(changeProducts, ({ body }) => {
    const [good, late] = (body as { changes: BulkChange[] }).changes;
    if (!good || !late) throw new Error('Two changes were sent.');
    const error = { code: 'version-changed', detail: 'The part was edited meanwhile.' };
    return Response.json({
      lines: [judge(good), { number: late.number, ok: false, before, after: null, error }],
      applied: true,
    });
  });
  await user.click(apply);
  expect(await screen.findByRole('heading', { name: '1 part changed' })).toBeVisible();
  const wrong = within(screen.getByRole('alert', { name: '1 line is left out' }));
  expect(wrong.getByText('The part was edited meanwhile.')).toBeVisible();
  expect(screen.getByText(/1 line was left out\./)).toBeVisible();
});

test('many lines go in calls of five hundred', async () => {
  const { user } = await openRestockCsv();
  shop.respond(changeProducts, ({ body }) => {
    const { changes } = body as { changes: BulkChange[] };
    return Response.json({
      lines: changes.map((change) => ({
        ...judge({ ...change, number: 'PF-D6701' }),
        number: change.number,
      })),
      applied: false,
    });
  });
  choose(Array.from({ length: 1001 }, (_, index) => `PF-${index},1`).join('\n'));
  await user.click(await screen.findByRole('button', { name: 'Apply 1,001 changes' }));
  await screen.findByRole('heading', { name: '1,001 parts changed' });
  const sizes = shop
    .getRequests(changeProducts)
    .map(({ body }) => (body as { changes: unknown[] }).changes.length);
  expect(sizes).toEqual([500, 500, 1, 500, 500, 1]);
});

test('lines may be pasted, and a file without changes says so', async () => {
  await openRestockCsv();
  choose('number,add,price\nPF-D6701,,');
  const reason = 'No line of this file changes anything. Nothing is changed.';
  expect(await screen.findByText(reason)).toBeVisible();
  fireEvent.paste(document.body, { clipboardData: { getData: () => 'PF-D6701\t5' } });
  expect(await screen.findByText('Pasted lines')).toBeVisible();
  expect(await screen.findByRole('button', { name: 'Apply 1 change' })).toBeVisible();
});

test('Discard returns to the start', async () => {
  const { user } = await openRestockCsv();
  choose(text);
  await user.click(await screen.findByRole('button', { name: 'Discard' }));
  expect(screen.getByLabelText('Choose a CSV file')).toBeInTheDocument();
  expect(screen.queryByText('What will change')).not.toBeInTheDocument();
  expect(shop.getRequests(changeProducts)).toHaveLength(1);
});

test('a file that was applied before needs a confirmation', async () => {
  const { user } = await openRestockCsv();
  const addedBefore = new Date(2026, 10, 22, 9, 14).toISOString();
  shop.respond(changeProducts, ({ body }) => {
    const { changes, apply = false } = body as { changes: BulkChange[]; apply?: boolean };
    const lines = changes.map((change) => ({
      ...judge(change),
      ...(!apply && change.number === 'PF-D6701' && { addedBefore }),
    }));
    return Response.json({ lines, applied: apply });
  });
  choose('number,add\nPF-D6701,50\nPF-B4501,500\n');
  const notice = (await screen.findByText(/^1 of 2 lines was added already/)).parentElement;
  expect(notice).toHaveTextContent('22 Nov 2026, 09:14');
  const apply = screen.getByRole('button', { name: 'Apply 2 changes' });
  await user.click(apply);
  const ask = () => within(screen.getByRole('dialog', { name: 'Add the same pieces again?' }));
  await user.click(ask().getByRole('button', { name: 'Not again' }));
  expect(shop.getRequests(changeProducts)).toHaveLength(1);
  await user.click(apply);
  await user.click(ask().getByRole('button', { name: 'Add again' }));
  expect(await screen.findByRole('heading', { name: '2 parts changed' })).toBeVisible();
  expect(shop.getRequests(changeProducts)).toHaveLength(2);
});

test('a price that moves by more than half has to be confirmed', async () => {
  const { user } = await openRestockCsv();
  choose('SKU,Price,Qty\nPF-D6701,5000,91\nPF-B4501,89,1\n');
  const question = await screen.findByRole('group', { name: '1 price moves by more than half' });
  expect(within(question).getByText('PF-D6701: $89.00 → $5,000.00')).toBeVisible();
  const apply = screen.getByRole('button', { name: 'Apply 2 changes' });
  expect(apply).toBeDisabled();
  await user.click(within(question).getByRole('checkbox', { name: 'This price is right' }));
  expect(apply).toBeEnabled();
});

test('Excel files are read in each encoding', async () => {
  await openRestockCsv();
  const wide = Buffer.from('\uFEFFnumber\tadd\nPF-D6701\t7\n', 'utf16le');
  const swapped = Buffer.from(wide).swap16();
  const western = Buffer.from('number;add;name\nPF-D6701;7;F\xfcr 6\n', 'latin1');
  for (const bytes of [wide, swapped, western]) {
    fireEvent.change(screen.getByLabelText(/^(Choose a CSV|Replace the) file$/), {
      target: { files: [new File([new Uint8Array(bytes)], 'restock.csv')] },
    });
    expect(await screen.findByText(/^1 part: 7 pieces added/)).toBeVisible();
  }
});

const unreadable = new File(['PF-D6701,5'], 'cloud.csv');
unreadable.arrayBuffer = () => Promise.reject(new DOMException('', 'NotReadableError'));
const drop = (files: File[], dropped = '') =>
  fireEvent.drop(screen.getByText('Choose a CSV file'), {
    dataTransfer: { files, getData: () => dropped },
  });

test.each([
  ['an unreadable file', [unreadable], '“cloud.csv” cannot be read. Is it still there'],
  ['two files', [unreadable, unreadable], 'These are 2 files. Choose one at a time.'],
  ['neither a file nor text', [], 'This is neither a file nor text.'],
])('the page explains a drop of %s', async (_, files, sentence) => {
  await openRestockCsv();
  drop(files);
  expect(await screen.findByText(new RegExp(sentence))).toHaveTextContent('Nothing is changed.');
});

test('a dropped text is read as a list', async () => {
  await openRestockCsv();
  drop([], 'PF-D6701,5');
  expect(await screen.findByText('Dropped lines')).toBeVisible();
  expect(await screen.findByRole('button', { name: 'Apply 1 change' })).toBeVisible();
});

import { readParcelCsv } from '@parts-forge/contract/files/parcel-file';
import { addShipments, readParcelFile } from '@parts-forge/contract/orders/order-bulk';
import { readConfig } from '@parts-forge/contract/people/identity';
import { fireEvent, screen, within } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { aConfig } from '#test/builders.ts';
import { createRefusal, startFakeShop } from '#test/fake-shop.ts';
import { openPage } from '#test/open-page.tsx';

const shop = startFakeShop();

interface Line {
  order: string;
  number: string;
  despite?: string;
}

/** Order 10161 has nothing left, 10162 and 10164 a number of another customer, and 10999 is of another customer. */
const answerLine = ({ order, despite }: Line) => {
  const found = {
    customer: order === '10999' ? 'd' : 'c',
    name: 'Amara',
    productName: 'Battery',
    quantity: 50,
  };
  const error = { code: 'more-than-left', detail: 'All pieces are in parcels' };
  if (/^1016[14]$/.test(order) && despite === undefined) return { id: order, ok: false, error };
  return { id: order, ok: true, order: { ...found, ...(/^1016[24]$/.test(order) && { shared: 10001 }) } };
};

const answerLines = (body: unknown) =>
  Response.json({ data: (body as { parcels: Line[] }).parcels.map(answerLine) });

async function openFile(text: string, isAnswered = true) {
  shop.signIn('admin');
  shop.answer(readConfig, { ...aConfig(), timeZone: 'America/New_York' });
  shop.answer(readParcelFile, { data: readParcelCsv(text) });
  if (isAnswered) shop.respond(addShipments, ({ body }) => answerLines(body));
  const { user } = await openPage('/dashboard/parcels-csv');
  const input = await screen.findByLabelText('Choose a CSV file or workbook');
  await user.upload(input, new File([text], 'parcels.csv'));
  await screen.findByRole('heading', { name: 'Columns' });
  return user;
}
const getSent = () =>
  shop
    .getRequests(addShipments)
    .map(({ body }) => body as { preview: boolean; parcels: Line[] })
    .filter(({ preview }) => !preview)
    .flatMap(({ parcels }) => parcels);
const readRows = () =>
  within(screen.getByRole('table', { name: 'Parcels' }))
    .getAllByRole('row')
    .slice(1)
    .map((row) => row.textContent);

test('a spoilt number waits until it is typed, and the others go', async () => {
  const user = await openFile('Referenz;Sendungsnummer\n10160;0034\n10163;9.4E+21');
  expect(screen.getByText(/^Choose the carrier/)).toBeVisible();
  await user.type(screen.getByLabelText('Carrier'), 'DHL');
  expect(await screen.findByText(/^1 line waits\. 1 customer will get mail/)).toBeVisible();
  expect(readRows()[0]).toContain('Sendungsnummer: A spreadsheet rounded');
  expect(getSent()).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Add 1 parcel' }));
  expect(await screen.findByText('1 parcel added.')).toHaveFocus();
  expect(getSent()).toEqual([expect.objectContaining({ order: '10160', carrier: 'DHL', number: '0034' })]);
  await user.type(screen.getByLabelText('Parcel number of line 3'), '0035');
  await user.tab();
  expect(await screen.findByRole('button', { name: 'Add 1 parcel' })).toBeEnabled();
});

test('a line that the shop would refuse waits for a word', async () => {
  const user = await openFile('order,carrier,number\n10161,DHL,1\n10162,DHL,2');
  expect(await screen.findByText(/^2 lines wait/)).toBeVisible();
  expect(readRows()).toEqual([
    expect.stringContaining('All pieces are in parcels'),
    expect.stringContaining('Order 10001 of another customer has this number.'),
  ]);
  for (const _ of ['of the order', 'of the number'])
    await user.click((await screen.findAllByRole('button', { name: 'Add it all the same' }))[0] as Element);
  await user.click(await screen.findByRole('button', { name: 'Add 2 parcels' }));
  await screen.findByText('2 parcels added.');
  expect(getSent().map(({ despite }) => despite)).toEqual(['more-than-left', undefined]);
});

test('a word about the pieces is none about the number', async () => {
  const user = await openFile('order,carrier,number\n10164,DHL,1');
  for (const question of ['All pieces are in parcels', 'Order 10001 of another customer has this number.']) {
    expect(await screen.findByText(question)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Add it all the same' }));
    expect(document.body).not.toHaveFocus();
  }
  await user.click(await screen.findByRole('button', { name: 'Add 1 parcel' }));
  await screen.findByText('1 parcel added.');
  expect(getSent()).toEqual([expect.objectContaining({ order: '10164', despite: 'more-than-left' })]);
});

test('a word about an order is none about that of another column', async () => {
  const user = await openFile('order,second,carrier,number\n10161,10164,DHL,1');
  await user.click(await screen.findByRole('button', { name: 'Add it all the same' }));
  expect(await screen.findByRole('button', { name: 'Add 1 parcel' })).toBeEnabled();
  await user.selectOptions(screen.getByLabelText('second'), 'Order');
  expect(await screen.findByText(/another customer|All pieces/)).toHaveTextContent(
    'All pieces are in parcels',
  );
});

test('each addition takes the focus, as its button is gone', async () => {
  const user = await openFile('order,carrier,number\n10160,DHL,1\n10161,DHL,2');
  await user.click(await screen.findByRole('button', { name: 'Add 1 parcel' }));
  expect(await screen.findByText('1 parcel added.')).toHaveFocus();
  await user.click(await screen.findByRole('button', { name: 'Add it all the same' }));
  await user.click(await screen.findByRole('button', { name: 'Add 1 parcel' }));
  expect(await screen.findByText('2 parcels added.')).toHaveFocus();
});

test('lines that could not be checked are not called ready', async () => {
  shop.respond(addShipments, () => createRefusal('unavailable'));
  const user = await openFile('order,carrier,number\n10160,DHL,1', false);
  expect(await screen.findByText('The orders were not checked.')).toBeVisible();
  expect(screen.queryByText('will be added')).toBeNull();
  shop.respond(addShipments, ({ body }) => answerLines(body));
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('will be added')).toBeVisible();
});

test('a number of two customers waits in long files, too', async () => {
  const lines = Array.from({ length: 250 }, (_, index) => `${10200 + index},00${34 + index}`);
  const user = await openFile(['order,tracking', ...lines, '10999,0034'].join('\n'));
  await user.type(screen.getByLabelText('Carrier'), 'DHL');
  expect(await screen.findByText(/^2 lines wait\./)).toBeVisible();
  expect(readRows()[0]).toContain('Order 10999 of another customer has this number.');
});

test('columns and the form of days are chosen', async () => {
  vi.stubEnv('TZ', 'America/Los_Angeles');
  onTestFinished(() => void vi.unstubAllEnvs());
  const user = await openFile('Beleg,Number,Tracking,Date,Carrier\n10160,7,0034,03/04/2026,UPS');
  await user.selectOptions(screen.getByLabelText('Beleg'), 'Order');
  await user.selectOptions(screen.getByLabelText('Tracking'), 'Parcel number');
  expect(await screen.findByText(/Choose above how the file writes days/)).toBeVisible();
  await user.selectOptions(screen.getByLabelText('How days are written'), 'month first: 4 Mar 2026');
  await user.click(await screen.findByRole('button', { name: 'Add 1 parcel' }));
  await screen.findByText('1 parcel added.');
  expect(getSent()).toEqual([
    expect.objectContaining({ number: '0034', sentAt: '2026-03-04T05:00:00.000Z' }),
  ]);
});

test('lines that wait are a file that can be read again', async () => {
  const saved = vi.spyOn(URL, 'createObjectURL').mockReturnValue('#saved');
  const user = await openFile('order,carrier,number,a\n10161,DHL,00340434161094022115,"x, ""y"""');
  await user.click(await screen.findByRole('button', { name: 'Lines that wait as a file' }));
  const [file] = saved.mock.lastCall as [Blob];
  const text = await file.text();
  saved.mockRestore();
  expect(text).toContain('"10161","DHL","=""00340434161094022115""","x, ""y""","All pieces are in parcels"');
  expect(readParcelCsv(text).places).toEqual({ order: 0, carrier: 1, number: 2 });
});

test('a dropped file is read', async () => {
  await openFile('order,carrier,number\n10160,DHL,1');
  const files = [new File(['order,carrier,number\n10160,DHL,2'], 'other.csv')];
  fireEvent.drop(screen.getByText('parcels.csv'), { dataTransfer: { files } });
  expect(await screen.findByText('other.csv')).toBeVisible();
});

test('a file is discarded before anything is added', async () => {
  const user = await openFile('order,carrier,number\n10160,DHL,1');
  await user.click(await screen.findByRole('button', { name: 'Discard' }));
  expect(screen.queryByRole('heading', { name: 'Columns' })).toBeNull();
  expect(getSent()).toEqual([]);
});

import { readConfig } from '@parts-forge/contract/identity';
import { addShipments } from '@parts-forge/contract/order-bulk';
import { fireEvent, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { aConfig } from '#test/builders.ts';
import { startFakeShop } from '#test/fake-shop.ts';
import { openPage } from '#test/open-page.tsx';

const shop = startFakeShop();

async function openParcels() {
  shop.signIn('admin');
  shop.answer(readConfig, { ...aConfig(), timeZone: 'America/New_York' });
  const page = await openPage('/dashboard/parcels-csv');
  return { ...page, field: await screen.findByLabelText('Lines of the file') };
}
const readResults = () =>
  screen
    .getAllByRole('row')
    .slice(1)
    .map((row) => within(row).getAllByRole('cell').at(-1)?.textContent);

test('each line of a file shows whether its parcel was added', async () => {
  const { user } = await openParcels();
  const lines = 'order,carrier,number,sent,pieces\n10160,DHL,0034,2026-11-21,20\n10161,UPS,1Z,21.11.2026,';
  await user.upload(screen.getByLabelText('Choose a CSV file'), new File([lines], 'parcels.csv'));
  shop.answer(addShipments, {
    data: [
      { id: '10160', ok: true },
      {
        id: '10161',
        ok: false,
        error: { code: 'not-accepted', detail: 'Only an accepted order is shipped' },
      },
    ],
  });
  await user.click(await screen.findByRole('button', { name: 'Add 2 parcels' }));
  expect(await screen.findByText('1 of 2 parcels added.')).toBeVisible();
  expect(readResults()).toEqual(['Only an accepted order is shipped', 'added']);
  expect(shop.getRequests(addShipments).map(({ body }) => body)).toEqual([
    {
      parcels: [
        { order: '10160', carrier: 'DHL', number: '0034', sentAt: '2026-11-21T05:00:00.000Z', quantity: 20 },
        { order: '10161', carrier: 'UPS', number: '1Z', sentAt: '21.11.2026' },
      ],
    },
  ]);
});

test('pasted lines without an order column are refused', async () => {
  const { field } = await openParcels();
  fireEvent.change(field, { target: { value: 'carrier,number\nDHL,0034' } });
  expect(await screen.findByText(/^The columns are “carrier”, “number”/)).toBeVisible();
  expect(screen.queryByRole('button', { name: /^Add/ })).not.toBeInTheDocument();
});

test('more lines than one call takes go in several', async () => {
  const { user, field } = await openParcels();
  const lines = Array.from({ length: 250 }, (_, index) => `${index},DHL,1`);
  fireEvent.change(field, { target: { value: ['order,carrier,number', ...lines].join('\n') } });
  shop.respond(addShipments, ({ body }) => {
    const { parcels } = body as { parcels: { order: string }[] };
    return Response.json({ data: parcels.map(({ order }) => ({ id: order, ok: true })) });
  });
  await user.click(screen.getByRole('button', { name: 'Add 250 parcels' }));
  expect(await screen.findByText('250 of 250 parcels added.')).toBeVisible();
  expect(shop.getRequests(addShipments)).toHaveLength(2);
});

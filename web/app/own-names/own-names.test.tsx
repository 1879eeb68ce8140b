import { createDownload } from '@parts-forge/contract/files/downloads';
import {
  type Alias,
  addAliasFile,
  listAliases,
  removeAlias,
  writeAlias,
} from '@parts-forge/contract/orders/aliases';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { aProduct } from '#test/builders.ts';
import { expectLink } from '#test/expect-link.ts';
import { startFakeShop } from '#test/fake-shop.ts';
import { openPage } from '#test/open-page.tsx';

const shop = startFakeShop();
const { _id, name, number, image } = aProduct({ name: 'Display', number: 'PF-D6101' });
const product = { _id, name, number, image };
const used: Alias = { alias: 'FR-2001', product, lastUsedAt: '2026-11-28T09:30:00.000Z' };
const unused: Alias = { alias: 'OLED A', product: { ...product, gone: true }, lastUsedAt: null };

async function openNames(rows: Alias[], query = '') {
  shop.signIn('user');
  shop.answerPage(listAliases, { data: rows }, String(rows.length));
  const page = await openPage(`/dashboard/own-names${query}`);
  await screen.findByRole('heading', { level: 1, name: 'Own names' });
  return page;
}
const row = async (alias: string) => within(await screen.findByRole('row', { name: new RegExp(alias) }));
const dialog = () => within(screen.getByRole('dialog'));

test('each name shows its part and when it was used last', async () => {
  await openNames([used, unused]);
  const first = await row('FR-2001');
  expectLink('Display', `/products/${_id}/display`, first);
  expect(first.getByText('PF-D6101')).toBeVisible();
  expect(first.getByText(/28 Nov 2026/)).toBeVisible();
  const second = await row('OLED A');
  expect(second.getByText('PF-D6101, no longer sold')).toBeVisible();
  expect(second.getByText('never')).toBeVisible();
});

test('a rename replaces the name, and a refusal stays in its dialog', async () => {
  const { user } = await openNames([used]);
  await user.click(await screen.findByRole('button', { name: 'Rename FR-2001' }));
  const field = dialog().getByLabelText('Your name of PF-D6101');
  await user.clear(field);
  await user.type(field, 'PF-B4501');
  const errors = [{ path: 'alias', message: 'Is the number of a part' }];
  shop.refuse(writeAlias, 'invalid', { errors });
  await user.click(dialog().getByRole('button', { name: 'Rename' }));
  expect(await dialog().findByText('Is the number of a part')).toBeVisible();
  shop.answer(writeAlias, { data: { ...used, alias: 'PF-B4501' } });
  await user.click(dialog().getByRole('button', { name: 'Rename' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  const [, sent] = shop.getRequests(writeAlias);
  expect(sent?.body).toEqual({ alias: 'PF-B4501', productId: _id, was: 'FR-2001' });
});

test('a name is removed after a question', async () => {
  const { user } = await openNames([used]);
  shop.answer(removeAlias, { deletedCount: 1 });
  await user.click(await screen.findByRole('button', { name: 'Remove FR-2001' }));
  shop.answerPage(listAliases, { data: [] }, '0');
  await user.click(dialog().getByRole('button', { name: 'Remove name' }));
  expect(await screen.findByText('No own names yet')).toBeVisible();
  expect(shop.getRequests(removeAlias)[0]?.query.get('alias')).toBe('FR-2001');
});

test('a file says what it set and which lines it left out', async () => {
  const { user } = await openNames([]);
  const problems = Array.from({ length: 22 }, (_, index) => ({
    // A name may be a part's number and stand twice.
    line: Math.floor(index / 2) + 2,
    column: 'name',
    message: `Problem ${index}`,
  }));
  shop.answer(addAliasFile, { saved: 3, problems, notes: [] });
  const file = new File(['name,part number\nA,PF-X'], 'names.csv', { type: 'text/csv' });
  await user.upload(await screen.findByLabelText('Choose a file of names'), file);
  expect(await screen.findByText('3 names set.')).toBeVisible();
  expect(screen.getAllByText(/Problem \d/)).toHaveLength(20);
  expect(screen.getByText('2 more problems')).toBeVisible();
  shop.answer(createDownload, { url: '/downloads/x', expiresIn: 60 });
  await user.click(screen.getByRole('button', { name: 'Export CSV' }));
  await waitFor(() => expect(shop.getSentBody(createDownload)).toEqual({ what: 'own-names' }));
});

test('a search without a name offers all of them', async () => {
  const { user, getAddress } = await openNames([], '?q=zz');
  await user.click(await screen.findByRole('button', { name: 'Show all names' }));
  await waitFor(() => expect(getAddress()).toBe('/dashboard/own-names'));
});

test('a failed list can be read again', async () => {
  shop.signIn('user');
  shop.refuse(listAliases, 'unavailable');
  const { user } = await openPage('/dashboard/own-names');
  await screen.findByText(/Your names could not be loaded/);
  shop.answerPage(listAliases, { data: [used] }, '1');
  await user.click(screen.getByRole('button', { name: /again/i }));
  expect(await screen.findByText('FR-2001')).toBeVisible();
});

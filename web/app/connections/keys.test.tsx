import { listWebhooks } from '@parts-forge/contract/events/webhooks';
import { createKey, deleteKey, type Key, listKeys } from '@parts-forge/contract/people/keys';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { startFakeShop } from '#test/fake-shop.ts';
import { openPage } from '#test/open-page.tsx';

const shop = startFakeShop();
const key: Key = {
  _id: '01a201a6-8283-76e6-9919-9b4149729eb4',
  name: 'ERP nightly',
  hint: '9Qx4',
  scopes: ['stock:write', 'catalogue:write'],
  madeBy: 'Ada Reyes',
  expiresAt: '2027-06-01T00:00:00.000Z',
};
const secret = `pfk_${'x'.repeat(43)}_9Qx4`;

async function openKeys(role: 'user' | 'admin', keys: Key[] = []) {
  shop.signIn(role);
  shop.answer(listKeys, { data: keys });
  shop.answer(listWebhooks, { data: [] });
  const page = await openPage('/dashboard/connections');
  await screen.findByText(keys.length > 0 ? `pfk_…${key.hint}` : 'No program has a key.');
  return page;
}

test('administrators see each key with maker, use and end', async () => {
  await openKeys('admin', [
    key,
    { ...key, _id: `${key._id.slice(0, -1)}5`, hint: 'c0Vd', usedAt: '2026-11-21T09:30:00.000Z' },
  ]);
  expect(screen.getByRole('heading', { level: 1, name: 'Connections' })).toBeVisible();
  const guide = screen.getByRole('link', { name: 'Connect your ERP' });
  expect(guide).toHaveAttribute('href', expect.stringContaining('connect-your-erp'));
  const [, first, second] = screen.getAllByRole('row');
  const cells = within(first as HTMLElement).getAllByRole('cell');
  expect(cells.map(({ textContent }) => textContent)).toEqual([
    'pfk_…9Qx4',
    'stock:writecatalogue:write',
    'Ada Reyes',
    'never',
    '1 Jun 2027',
    'End',
  ]);
  expect(second).toHaveTextContent('21 Nov 2026, 09:30');
});

test('a new key is shown until its maker has copied it', async () => {
  const { user } = await openKeys('admin');
  shop.answer(createKey, { key: secret, data: key });
  await user.click(screen.getByRole('button', { name: 'New key' }));
  await user.type(screen.getByLabelText('Name of the program'), 'ERP nightly');
  for (const box of screen.getAllByRole('checkbox')) expect(box).toHaveAccessibleName(/^\w+:\w+ \w/);
  await user.click(screen.getByRole('checkbox', { name: 'stock:write change stock' }));
  await user.click(screen.getByRole('checkbox', { name: /^catalogue:write/ }));
  await user.type(screen.getByLabelText('Ends (optional)'), '2027-06-01');
  shop.answer(listKeys, { data: [key] });
  await user.click(screen.getByRole('button', { name: 'Make key' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'The key “ERP nightly”' }));
  expect(dialog.getByText(secret)).toBeVisible();
  expect(shop.getRequests(createKey)[0]?.body).toEqual({
    name: 'ERP nightly',
    scopes: ['catalogue:write', 'stock:write'],
    expiresAt: '2027-06-01',
  });
  await user.click(dialog.getByRole('button', { name: 'Copy key' }));
  expect(await navigator.clipboard.readText()).toBe(secret);
  await user.keyboard('{Escape}');
  expect(dialog.getByText(secret)).toBeVisible();
  await user.click(dialog.getByRole('button', { name: 'I have copied it' }));
  expect(screen.queryByText(secret)).toBeNull();
  expect(await screen.findByText('pfk_…9Qx4')).toBeVisible();
});

test('customers choose among the scopes of their own orders', async () => {
  const { user } = await openKeys('user');
  expect(screen.getByRole('heading', { level: 1, name: 'Keys' })).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'New key' }));
  const boxes = screen.getAllByRole('checkbox').map((box) => box.getAttribute('name'));
  expect(boxes).toEqual(['orders:read', 'orders:place']);
  await user.click(screen.getByRole('button', { name: 'Choose all' }));
  expect(screen.getAllByRole('checkbox', { checked: true })).toHaveLength(2);
});

test('a refused key keeps the form and says what to do', async () => {
  const { user } = await openKeys('user');
  await user.click(screen.getByRole('button', { name: 'New key' }));
  const errors = [{ path: 'scopes', message: 'Choose one or more scopes, each once' }];
  shop.refuse(createKey, 'invalid', { errors });
  await user.click(screen.getByRole('button', { name: 'Make key' }));
  expect(await screen.findByText('Choose one or more scopes, each once')).toBeVisible();
  shop.refuse(createKey, 'sign-in-again');
  await user.click(screen.getByRole('button', { name: 'Make key' }));
  expect(await screen.findByRole('button', { name: 'Sign in again' })).toBeVisible();
  await user.type(screen.getByLabelText('Your password'), 'secret 1');
  shop.letIn();
  shop.answer(createKey, { key: secret, data: key });
  await user.click(screen.getByRole('button', { name: 'Make key' }));
  expect(await screen.findByText(secret)).toBeVisible();
  expect(shop.getRequests(createKey).at(-1)?.body).toEqual(shop.getRequests(createKey)[1]?.body);
});

test('a key ends after a question', async () => {
  const { user } = await openKeys('admin', [key]);
  await user.click(screen.getByRole('button', { name: 'End the key ERP nightly' }));
  shop.refuse(deleteKey, 'unavailable');
  await user.click(screen.getByRole('button', { name: 'End key' }));
  expect(await screen.findByText(/not available/)).toBeVisible();
  shop.answer(deleteKey, { deletedCount: 1 });
  shop.answer(listKeys, { data: [] });
  await user.click(screen.getByRole('button', { name: 'End key' }));
  expect(await screen.findByText('No program has a key.')).toBeVisible();
  expect(shop.getRequests(deleteKey).map(({ params }) => params.id)).toEqual([key._id, key._id]);
});

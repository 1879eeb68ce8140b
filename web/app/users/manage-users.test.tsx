import { changeRole, deleteUser, listUsers } from '@parts-forge/contract/users';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { aUser } from '#app/dev/builders.ts';
import { startFakeShop } from '#test/fake-shop.ts';
import { openPage } from '#test/open-page.tsx';

const shop = startFakeShop();
const tomas = aUser({ name: 'Tomás Herrera', email: 'tomas@movilcentro.example' });

async function openManageUsers(query = '') {
  shop.signIn('admin');
  return openPage(`/dashboard/manage-users${query}`);
}
const row = (name: string) => screen.findByRole('row', { name: new RegExp(name) });

test("administrators read 'Can not take action', others can be made admin or deleted", async () => {
  shop.answerPage(listUsers, [aUser({ name: 'Ines Carvalho', role: 'admin' }), tomas], '2');
  await openManageUsers();
  const admin = within(await row('Ines'));
  expect(admin.getByText('Can not take action')).toBeVisible();
  expect(admin.queryByRole('button')).toBeNull();
  const user = within(await row('Tomás'));
  expect(user.getAllByRole('button').map((button) => button.textContent)).toEqual(['Make Admin', 'Delete']);
  expect(screen.getByText('2 users')).toBeVisible();
});

test("a user becomes an admin after a question, with 'Made Admin successfully..!'", async () => {
  shop.answerPage(listUsers, [tomas], '1');
  const { user } = await openManageUsers();
  await user.click(await screen.findByRole('button', { name: 'Make Admin: Tomás Herrera' }));
  const question = screen.getByRole('dialog', { name: 'Make Tomás Herrera an admin?' });
  expect(within(question).getByRole('button', { name: 'Keep as user' })).toHaveFocus();
  shop.answer(changeRole, { result: { acknowledged: true, matchedCount: 1, modifiedCount: 1 } });
  shop.answerPage(listUsers, [{ ...tomas, role: 'admin' }], '1');
  await user.click(within(question).getByRole('button', { name: 'Make Admin' }));
  expect(await screen.findByText('Made Admin successfully..!')).toBeVisible();
  expect(shop.getSentBody(changeRole)).toEqual({ role: 'admin' });
  expect(within(await row('Tomás')).getByText('Can not take action')).toBeVisible();
});

test("a user is deleted after a question, with 'User Removed successfully..!'", async () => {
  shop.answerPage(listUsers, [tomas], '1');
  const { user } = await openManageUsers();
  await user.click(await screen.findByRole('button', { name: 'Delete user Tomás Herrera' }));
  shop.answer(deleteUser, { deletedCount: 1 });
  shop.answerPage(listUsers, [], '0');
  await user.click(screen.getByRole('button', { name: 'Delete user' }));
  expect(await screen.findByText('User Removed successfully..!')).toBeVisible();
  expect(shop.getRequests(deleteUser)[0]?.params.email).toBe('tomas@movilcentro.example');
  expect(await screen.findByText('Nobody matches')).toBeVisible();
});

test('somebody who became an administrator meanwhile has a notice in the place of their row', async () => {
  shop.answerPage(listUsers, [tomas], '1');
  const { user } = await openManageUsers();
  await user.click(await screen.findByRole('button', { name: 'Delete user Tomás Herrera' }));
  shop.refuse(deleteUser, 'user-is-admin');
  await user.click(screen.getByRole('button', { name: 'Delete user' }));
  expect(await screen.findByRole('alert')).toHaveTextContent(
    'Tomás Herrera: This person is an administrator meanwhile and cannot be removed.',
  );
});

test('the search is in the address, and when nobody matches all users can be shown', async () => {
  shop.answerPage(listUsers, [], '0');
  const page = await openManageUsers('?q=nobody');
  expect(await screen.findByText('Nobody matches')).toBeVisible();
  expect(shop.getRequests(listUsers)[0]?.query.get('q')).toBe('nobody');
  await page.user.click(screen.getByRole('button', { name: 'Show all users' }));
  await waitFor(() => expect(page.getAddress()).toBe('/dashboard/manage-users'));
});

test('a search longer than the calls take is cut', async () => {
  shop.answerPage(listUsers, [], '0');
  await openManageUsers(`?q=${'x'.repeat(500)}`);
  await screen.findByText('Nobody matches');
  expect(shop.getRequests(listUsers)[0]?.query.get('q')).toHaveLength(120);
});

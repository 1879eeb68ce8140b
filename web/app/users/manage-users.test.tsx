import { listWebhooks, type Webhook } from '@parts-forge/contract/events/webhooks';
import { createResetLink } from '@parts-forge/contract/people/accounts';
import { changeRole, deleteUser, listUsers, type User } from '@parts-forge/contract/people/users';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { aUser } from '#test/builders.ts';
import { expectLink } from '#test/expect-link.ts';
import { startFakeShop } from '#test/fake-shop.ts';
import { openPage } from '#test/open-page.tsx';
import { openRowMenu } from '#test/row-menu.ts';

const shop = startFakeShop();
const tomas = aUser({ name: 'Tomás Herrera', email: 'tomas@movilcentro.example' });

const ines = aUser({ name: 'Ines Carvalho', email: 'ines@partsforge.example', role: 'admin' });

/** @param users of the list; without them the test answers it */
async function openManageUsers(query = '', users?: User[]) {
  shop.signIn('admin', ines);
  if (users) shop.answerPage(listUsers, users, String(users.length));
  return openPage(`/dashboard/manage-users${query}`);
}
const row = (name: string) => screen.findByRole('row', { name: new RegExp(name) });

test("administrators read 'Can not take action', others can be promoted or deleted", async () => {
  const page = await openManageUsers('', [ines, tomas]);
  const admin = within(await row('Ines'));
  expect(admin.getByText('Can not take action')).toBeVisible();
  expect(admin.queryByRole('button')).toBeNull();
  await openRowMenu(page.user);
  const names = within(await row('Tomás'))
    .getAllByRole('button')
    .map(({ textContent }) => textContent);
  expect(names.filter((name) => name !== '')).toEqual(['Make Admin', 'Reset link', 'Delete']);
  expect(screen.getByText('2 users')).toBeVisible();
});

test('people who wait for a password link have a tab', async () => {
  const waiting = { ...tomas, passwordAskedAt: '2026-11-22T09:30:00.000Z' };
  shop.respond(listUsers, ({ query }) => {
    const rows = query.get('asked') === 'true' ? [waiting] : [ines, waiting];
    return Response.json(rows, { headers: { 'x-total-count': String(rows.length) } });
  });
  const { user, getAddress } = await openManageUsers();
  const tab = await screen.findByRole('link', { name: 'Waiting for a link 1' });
  expect(within(await row('Tomás')).getByText(/Waits for a link since 22 Nov 2026/)).toBeVisible();
  await user.click(tab);
  expect(getAddress()).toBe('/dashboard/manage-users?asked=true');
  await waitFor(() => expect(screen.queryByRole('row', { name: /Ines/ })).toBeNull());
  expect(tab).toHaveAttribute('aria-current', 'true');
});

test('a made link ends the wait, and its dialog stays', async () => {
  const { user } = await openManageUsers('?asked=true', [
    { ...tomas, passwordAskedAt: '2026-11-22T09:30:00.000Z' },
  ]);
  await user.click(await screen.findByRole('button', { name: 'Reset link: Tomás Herrera' }));
  shop.respond(createResetLink, () => {
    shop.answerPage(listUsers, [], '0');
    return Response.json({ url: 'https://shop.example/reset-password#token=x', expiresIn: 3600 });
  });
  await user.click(screen.getByRole('button', { name: 'Create a reset link' }));
  expect(await screen.findByText('Nobody waits for a link')).toBeInTheDocument();
  expect(screen.getByText('https://shop.example/reset-password#token=x')).toBeVisible();
});

test("a promotion asks first and says 'Made Admin successfully..!'", async () => {
  const { user } = await openManageUsers('', [tomas]);
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

test("a deletion asks first and says 'User Removed successfully..!'", async () => {
  const { user } = await openManageUsers('', [tomas]);
  await openRowMenu(user);
  await user.click(screen.getByRole('button', { name: 'Delete user Tomás Herrera' }));
  shop.answer(deleteUser, { deletedCount: 1 });
  shop.answerPage(listUsers, [], '0');
  await user.click(screen.getByRole('button', { name: 'Delete user' }));
  expect(await screen.findByText('User Removed successfully..!')).toBeVisible();
  expect(shop.getRequests(deleteUser)[0]?.params.email).toBe('tomas@movilcentro.example');
  expect(await screen.findByText('Nobody matches')).toBeVisible();
});

test('a notice replaces the row of a user promoted elsewhere', async () => {
  const { user } = await openManageUsers('', [tomas]);
  await openRowMenu(user);
  await user.click(screen.getByRole('button', { name: 'Delete user Tomás Herrera' }));
  shop.refuse(deleteUser, 'user-is-admin');
  await user.click(screen.getByRole('button', { name: 'Delete user' }));
  expect(await screen.findByRole('alert')).toHaveTextContent(
    'Tomás Herrera: This person is now an administrator and cannot be removed.',
  );
});

test('the URL holds the search, and no match offers all users', async () => {
  const page = await openManageUsers('?q=nobody', []);
  expect(await screen.findByText('Nobody matches')).toBeVisible();
  expect(shop.getRequests(listUsers)[0]?.query.get('q')).toBe('nobody');
  await page.user.click(screen.getByRole('button', { name: 'Show all users' }));
  await waitFor(() => expect(page.getAddress()).toBe('/dashboard/manage-users'));
});

test('an overlong search is cut to the limit', async () => {
  shop.answerPage(listUsers, [], '0');
  await openManageUsers(`?q=${'x'.repeat(500)}`);
  await screen.findByText('Nobody matches');
  expect(shop.getRequests(listUsers)[0]?.query.get('q')).toHaveLength(120);
});

test('a demotion asks first and is not offered for oneself', async () => {
  const greta = aUser({ name: 'Greta Solberg', email: 'greta@partsforge.example', role: 'admin' });
  const { user } = await openManageUsers('', [ines, greta]);
  expect(within(await row('Greta')).getByText('Can not take action')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'More for Ines Carvalho' })).not.toBeInTheDocument();
  await openRowMenu(user);
  const made: Webhook = {
    _id: '1',
    url: 'https://erp.example/events',
    types: ['order.paid'],
    state: 'on',
    madeBy: { _id: greta._id },
    createdAt: greta.createdAt,
    waiting: 0,
    deliveries: [],
  };
  const others: Webhook = { ...made, _id: '2', madeBy: { _id: ines._id }, url: 'https://mail.example/in' };
  const off: Webhook = { ...made, _id: '3', state: 'off', url: 'https://off.example/' };
  shop.answer(listWebhooks, { data: [made, others, off] });
  await user.click(screen.getByRole('button', { name: 'Make user: Greta Solberg' }));
  expect(await screen.findByText(made.url)).toBeVisible();
  expect(screen.queryByText(/mail\.example|off\.example/)).toBeNull();
  const question = within(screen.getByRole('dialog', { name: 'Make Greta Solberg a user?' }));
  expect(question.getByRole('button', { name: 'Keep as admin' })).toHaveFocus();
  shop.answer(changeRole, { result: { acknowledged: true, matchedCount: 1, modifiedCount: 1 } });
  shop.answerPage(listUsers, [ines, { ...greta, role: 'user' }], '2');
  await user.click(question.getByRole('button', { name: 'Make user' }));
  expect(await screen.findByText('Made user')).toBeVisible();
  expect(shop.getSentBody(changeRole)).toEqual({ role: 'user' });
  expect(await screen.findByRole('button', { name: 'Make Admin: Greta Solberg' })).toBeVisible();
});

test('a reset link is created after a question and shown once', async () => {
  const { user } = await openManageUsers('', [tomas]);
  await openRowMenu(user);
  await user.click(screen.getByRole('button', { name: 'Reset link: Tomás Herrera' }));
  const question = within(screen.getByRole('dialog', { name: /^Create a reset link for Tomás Herrera/ }));
  expect(question.getByRole('button', { name: 'Not now' })).toHaveFocus();
  expect(shop.getRequests(createResetLink)).toEqual([]);
  const url = 'https://shop.example/reset-password#token=abc';
  shop.answer(createResetLink, { url, expiresIn: 3600 });
  await user.click(question.getByRole('button', { name: 'Create a reset link' }));
  const made = within(await screen.findByRole('dialog', { name: 'Reset link for Tomás Herrera' }));
  expect(made.getByText(url)).toBeVisible();
  expect(made.getByText('It works once and expires in one hour.')).toBeVisible();
  await user.click(made.getByRole('button', { name: 'Copy link' }));
  expect(await navigator.clipboard.readText()).toBe(url);
  await user.click(made.getByRole('button', { name: 'I have copied it' }));
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  expect(shop.getRequests(createResetLink)[0]?.params.email).toBe(tomas.email);
});

test('a failed reset link names its reason', async () => {
  const { user } = await openManageUsers('', [tomas]);
  await openRowMenu(user);
  await user.click(screen.getByRole('button', { name: 'Reset link: Tomás Herrera' }));
  shop.refuse(createResetLink, 'internal');
  await user.click(screen.getByRole('button', { name: 'Create a reset link' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('Something went wrong on our side.');
});

test('a hosted identity service offers no reset links', async () => {
  shop.answerPage(listUsers, [tomas], '1');
  shop.signIn('admin', ines);
  const { user } = await openPage('/dashboard/manage-users', { selfService: false });
  expect(await screen.findByRole('button', { name: 'Make Admin: Tomás Herrera' })).toBeVisible();
  await openRowMenu(user);
  expect(screen.queryByRole('button', { name: /^Reset link/ })).not.toBeInTheDocument();
});

test('an administrator without the required second factor is led to its set-up', async () => {
  shop.refuse(listUsers, 'second-factor-required');
  await openManageUsers();
  expect(await screen.findByRole('alert')).toHaveTextContent('Switch on a second factor under My Profile');
  expectLink('Set it up', '/dashboard/my-profile');
});

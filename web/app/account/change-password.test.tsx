import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { startFakeShop } from '#test/fake-shop.ts';
import { openPage } from '#test/open-page.tsx';

const shop = startFakeShop();
const call = 'POST /identity/change-password';

const current = () => screen.getByLabelText('Current password');
const next = () => screen.getByLabelText('New password');
const change = () => screen.getByRole('button', { name: 'Change password' });

async function openProfile(role: 'user' | 'admin' = 'user') {
  shop.signIn(role);
  const page = await openPage('/dashboard/my-profile');
  await screen.findByRole('button', { name: 'Change password' });
  return page;
}

async function send({ user }: Awaited<ReturnType<typeof openProfile>>) {
  await user.type(current(), 'secret 1');
  await user.type(next(), 'secret 2');
  await user.click(change());
}

test('a changed password needs the current one and signs out other browsers', async () => {
  const page = await openProfile();
  shop.respond(call, () => Response.json({ user: shop.identityUser }));
  await send(page);
  expect(await screen.findByText('Your password is changed. Other browsers are signed out.')).toBeVisible();
  expect(shop.getRequests(call)[0]?.body).toEqual({ currentPassword: 'secret 1', newPassword: 'secret 2' });
  expect(current()).toHaveValue('');
  expect(next()).toHaveValue('');
  expect(screen.queryByText('Password is Required')).not.toBeInTheDocument();
});

test('both passwords are required, in the specification’s words', async () => {
  const { user } = await openProfile();
  await user.click(change());
  expect(await screen.findAllByText('Password is Required')).toHaveLength(2);
  await user.type(next(), '12345');
  expect(await screen.findByText('Must be 6 characters or longer')).toBeVisible();
  expect(shop.getRequests(call)).toEqual([]);
});

test('the shown minimum length depends on the role', async () => {
  await openProfile();
  expect(next()).toHaveAccessibleDescription('At least 6 characters');
  await openProfile('admin');
  await waitFor(() => expect(next()).toHaveAccessibleDescription('At least 12 characters'));
});

test.each([
  ['Invalid password', 'INVALID_PASSWORD', current],
  ['This password is among the most common ones', 'PASSWORD_TOO_COMMON', next],
  ['Must be 12 characters or longer', 'PASSWORD_TOO_SHORT', next],
])('%j appears under its field', async (message, code, field) => {
  const page = await openProfile();
  shop.refuseIdentity(call, 400, message, code);
  await send(page);
  await waitFor(() => expect(field()).toHaveAccessibleDescription(message));
  expect(field()).toHaveFocus();
  expect(current()).toHaveValue('secret 1');
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
});

test('the button counts the seconds down after too many tries', async () => {
  const page = await openProfile();
  shop.respond(call, () =>
    Response.json(
      { message: 'Too many requests. Please try again later.' },
      { status: 429, headers: { 'retry-after': '30' } },
    ),
  );
  await send(page);
  expect(await screen.findByRole('button', { name: 'Change password in 30 s' })).toBeVisible();
  expect(screen.getByRole('alert')).toHaveTextContent('Too many requests. Please try again later.');
});

test('a lost connection is shown and the input stays', async () => {
  const page = await openProfile();
  shop.disconnect(call);
  await send(page);
  expect(await screen.findByRole('alert')).toHaveTextContent('The server did not answer. Try again.');
  expect(next()).toHaveValue('secret 2');
});

test('an ended sign-in leads to /login and back', async () => {
  const page = await openProfile();
  shop.refuseIdentity(call, 401, 'Unauthorized', 'UNAUTHORIZED');
  await send(page);
  await waitFor(() => expect(page.getAddress()).toBe('/login?from=%2Fdashboard%2Fmy-profile'));
  expect(await screen.findByText(/Your session has ended/)).toBeVisible();
});

test('a hosted identity service hides the password form', async () => {
  shop.signIn();
  await openPage('/dashboard/my-profile', { selfService: false });
  await screen.findByRole('button', { name: 'Update profile' });
  for (const name of ['Password', 'Sessions', 'Second factor', 'My data', 'Delete account']) {
    expect(screen.queryByRole('heading', { name })).not.toBeInTheDocument();
  }
});

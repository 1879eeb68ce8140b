import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { expectLink } from '#test/expect-link.ts';
import { startFakeShop } from '#test/fake-shop.ts';
import { openPage } from '#test/open-page.tsx';

const shop = startFakeShop();

const ask = 'POST /identity/request-password-reset';
const reset = 'POST /identity/reset-password';

async function openForgotten() {
  const page = await openPage('/forgot-password');
  await screen.findByRole('heading', { level: 1, name: 'Forgotten password' });
  return page;
}

async function openLink(address = '/reset-password#token=a-token-of-a-link') {
  const page = await openPage(address);
  await screen.findByRole('heading', { level: 1, name: 'New password' });
  return page;
}

const newPassword = () => screen.getByLabelText('New password');
const setPassword = () => screen.getByRole('button', { name: 'Set new password' });

test('a request shows the next steps in the service’s words', async () => {
  const { user } = await openForgotten();
  shop.respond(ask, () =>
    Response.json({
      status: true,
      message:
        'If this address has an account, the administrators of the shop now see that you wait for a link to a new password.',
    }),
  );
  await user.click(screen.getByRole('button', { name: 'Ask for a new password' }));
  expect(await screen.findByText('Email is Required')).toBeVisible();
  await user.type(screen.getByLabelText('Email'), 'amara@repair.example');
  await user.click(screen.getByRole('button', { name: 'Ask for a new password' }));
  expect(await screen.findByText(/the administrators of the shop now see/)).toBeVisible();
  expect(screen.getByText(/The address of the shop stands at the foot of this page\./)).toBeVisible();
  expect(shop.getRequests(ask)[0]?.body).toEqual({ email: 'amara@repair.example' });
  await waitFor(() => expect(screen.getByRole('heading', { name: 'Forgotten password' })).toHaveFocus());
});

test('the seller’s address leads to an administrator', async () => {
  const { user } = await openPage('/forgot-password', { contactEmail: 'sales@forge.example' });
  shop.respond(ask, () => Response.json({ status: true, message: 'Ask an administrator.' }));
  await user.type(await screen.findByLabelText('Email'), 'amara@repair.example');
  await user.click(screen.getByRole('button', { name: 'Ask for a new password' }));
  const way = await screen.findByRole('link', { name: 'sales@forge.example' });
  expect(way).toHaveAttribute('href', 'mailto:sales@forge.example');
});

test('an unreachable service appears in the banner and the email stays', async () => {
  const { user } = await openForgotten();
  shop.disconnect(ask);
  await user.type(screen.getByLabelText('Email'), 'amara@repair.example');
  await user.click(screen.getByRole('button', { name: 'Ask for a new password' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('The shop cannot be reached.');
  expect(screen.getByLabelText('Email')).toHaveValue('amara@repair.example');
});

test('a reset link sets a password and leads to /login', async () => {
  const page = await openLink();
  expect(newPassword()).toHaveAttribute('autocomplete', 'new-password');
  shop.respond(reset, () => Response.json({ status: true }));
  await page.user.type(newPassword(), 'a new secret');
  await page.user.click(setPassword());
  await waitFor(() => expect(page.getAddress()).toBe('/login'));
  expect(await screen.findByText('Your new password is set. Log in with it.')).toBeVisible();
  expect(shop.getRequests(reset)[0]?.body).toEqual({
    token: 'a-token-of-a-link',
    newPassword: 'a new secret',
  });
});

test('a reset signs the browser out', async () => {
  shop.signIn();
  const page = await openLink();
  shop.respond(reset, () => Response.json({ status: true }));
  await page.user.type(newPassword(), 'a new secret');
  await page.user.click(setPassword());
  await waitFor(() => expect(page.getAddress()).toBe('/login'));
  expect(localStorage.getItem('accessToken')).toBeNull();
});

test('a dead link says so and shows how to get another', async () => {
  const { user } = await openLink();
  shop.refuseIdentity(reset, 400, 'Invalid token', 'INVALID_TOKEN');
  await user.type(newPassword(), 'a new secret');
  await user.click(setPassword());
  expect(await screen.findByRole('alert')).toHaveTextContent(
    'This link was already used or has expired. Ask for a new one.',
  );
  expectLink('Ask for a new password', '/forgot-password');
  expect(screen.queryByLabelText('New password')).not.toBeInTheDocument();
});

test('an address without a token is called an incomplete link', async () => {
  await openLink('/reset-password');
  expect(await screen.findByRole('alert')).toHaveTextContent('This link is incomplete.');
});

test('a refused password shows its reason under the field', async () => {
  const { user } = await openLink();
  await user.type(newPassword(), '12345');
  await user.click(setPassword());
  expect(await screen.findByText('Must be 6 characters or longer')).toBeVisible();
  const tooCommon = 'This password is among the most common ones';
  shop.refuseIdentity(reset, 400, tooCommon, 'PASSWORD_TOO_COMMON');
  await user.type(newPassword(), '6');
  await user.click(setPassword());
  await waitFor(() => expect(newPassword()).toHaveAccessibleDescription(tooCommon));
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
});

test('a hosted identity service hides the page /reset-password', async () => {
  await openPage('/reset-password#token=x', { selfService: false });
  expect(await screen.findByRole('heading', { name: 'This page is missing' })).toBeVisible();
});

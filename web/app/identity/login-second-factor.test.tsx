import { exchangeIdentity } from '@parts-forge/contract/people/identity';
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { aUser } from '#test/builders.ts';
import { startFakeShop } from '#test/fake-shop.ts';
import { openPage } from '#test/open-page.tsx';

const shop = startFakeShop();

const verifyTotp = 'POST /identity/two-factor/verify-totp';
const verifyBackupCode = 'POST /identity/two-factor/verify-backup-code';
const code = () => screen.getByLabelText('Code');
const confirm = () => screen.getByRole('button', { name: 'Confirm' });

/** Enters the password of a user with a second factor. */
async function openCodeStep() {
  shop.respond('POST /identity/sign-in/email', () =>
    Response.json({ twoFactorRedirect: true, twoFactorMethods: ['totp'] }),
  );
  const page = await openPage('/login?from=%2Fportfolio');
  await page.user.type(await screen.findByLabelText('Email'), 'ines@partsforge.example');
  await page.user.type(screen.getByLabelText('Password'), 'a long password');
  await page.user.click(screen.getByRole('button', { name: 'Login' }));
  await screen.findByLabelText('Code');
  return page;
}

test('a right password leads to a code before the sign-in', async () => {
  await openCodeStep();
  expect(screen.getByRole('heading', { level: 1, name: 'Second factor' })).toBeVisible();
  expect(screen.queryByLabelText('Password')).not.toBeInTheDocument();
  expect(code()).toHaveFocus();
  expect(code()).toHaveAttribute('autocomplete', 'one-time-code');
  expect(code()).toHaveAttribute('inputmode', 'numeric');
  expect(localStorage.getItem('accessToken')).toBeNull();
  expect(shop.getRequests(exchangeIdentity)).toEqual([]);
});

test('a right code signs in and leads back', async () => {
  const page = await openCodeStep();
  shop.letIn(aUser(), verifyTotp);
  await page.user.type(code(), '123 456');
  await page.user.click(confirm());
  await waitFor(() => expect(page.getAddress()).toBe('/portfolio'));
  expect(shop.getRequests(verifyTotp)[0]?.body).toEqual({ code: '123456' });
  expect(localStorage.getItem('accessToken')).toBe('a-new-token');
});

test('an invalid code is not sent', async () => {
  const { user } = await openCodeStep();
  await user.type(code(), '12345');
  await user.click(confirm());
  expect(await screen.findByText('Must be six digits')).toBeVisible();
  expect(shop.getRequests(verifyTotp)).toEqual([]);
});

test('a wrong code shows the service’s message and allows another', async () => {
  const page = await openCodeStep();
  shop.refuseIdentity(verifyTotp, 401, 'Invalid code', 'INVALID_CODE');
  await page.user.type(code(), '111111');
  await page.user.click(confirm());
  expect(await screen.findByRole('alert')).toHaveTextContent(/^Invalid code$/);
  shop.letIn(aUser(), verifyTotp);
  await page.user.clear(code());
  await page.user.type(code(), '222222');
  await page.user.click(confirm());
  await waitFor(() => expect(page.getAddress()).toBe('/portfolio'));
});

test('a backup code replaces the app', async () => {
  const page = await openCodeStep();
  shop.letIn(aUser(), verifyBackupCode);
  await page.user.click(screen.getByRole('button', { name: 'Use a backup code' }));
  const backupCode = screen.getByLabelText('Backup code');
  expect(backupCode).toHaveFocus();
  await page.user.type(backupCode, 'AbCdE-12345');
  await page.user.click(confirm());
  await waitFor(() => expect(page.getAddress()).toBe('/portfolio'));
  expect(shop.getRequests(verifyBackupCode)[0]?.body).toEqual({ code: 'AbCdE-12345' });
});

test.each([
  ['the ten minutes for it are over', 401, 'INVALID_TWO_FACTOR_COOKIE'],
  ['it was wrong five times', 400, 'TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE'],
])('the password is required again because %s', async (_why, status, refusal) => {
  const { user } = await openCodeStep();
  shop.refuseIdentity(verifyTotp, status, 'Sign in again', refusal);
  await user.type(code(), '123456');
  await user.click(confirm());
  expect(await screen.findByLabelText('Password')).toBeVisible();
  expect(screen.getByRole('alert')).toHaveTextContent('Sign in again');
});

test('a link leads back to the password', async () => {
  const { user } = await openCodeStep();
  await user.click(screen.getByRole('button', { name: 'Back to Login' }));
  expect(await screen.findByLabelText('Password')).toBeVisible();
  await waitFor(() => expect(screen.getByRole('heading', { level: 1, name: 'Login' })).toHaveFocus());
});

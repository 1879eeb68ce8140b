import { answerRequests } from '../network.ts';
import {
  administrator,
  createPerson,
  register,
  registerAdministrator,
  signIn,
  submitLogin,
} from '../people.ts';
import { findRow, pressInMenu } from '../rows.ts';
import { createTimeCode } from '../time-code.ts';
import { registerNamed, test } from './screen.ts';

test('pictures a forgotten password', async ({ page, take }) => {
  await page.goto('/forgot-password');
  await take('forgot-password');
  await page.getByLabel('Email').fill('amara@fieldrepair.example');
  await page.getByRole('button', { name: 'Ask for a new password' }).click();
  await page.getByText(/administrators of the shop now see/).waitFor();
  await take('forgot-password-asked');
  await page.goto('/reset-password#token=not-one');
  await take('reset-password');
  await page.getByLabel('New password').fill('secret 1');
  await page.getByRole('button', { name: 'Set new password' }).click();
  await page.getByRole('alert').waitFor();
  await take('reset-password-dead');
});

test('pictures a reset link', async ({ page, request, take }) => {
  const { name, email } = await registerNamed(request, 'Tomás Herrera', 'movilcentro.example');
  await signIn(page, administrator, `/dashboard/manage-users?q=${encodeURIComponent(email)}`);
  await pressInMenu(findRow(page, name), `Reset link: ${name}`);
  await take('manage-users-reset-link', false);
  const url = 'https://shop.example/reset-password#token=4f6b1c9e2d7a4b80';
  // A real link would differ from run to run.
  await answerRequests(page, '**/reset-link', { url, expiresIn: 3600 }, { method: 'POST' });
  await page.getByRole('button', { name: 'Create a reset link', exact: true }).click();
  await page.getByText('It is not shown again').waitFor();
  await take('manage-users-reset-link-made', false);
});

test('pictures a second factor', async ({ page, request, take }) => {
  const person = await registerAdministrator(request, 'Ines Carvalho');
  await signIn(page, person, '/dashboard/my-profile');
  const panel = page.getByRole('region', { name: 'Second factor' });
  await panel.getByRole('button', { name: 'Set up' }).click();
  await take('second-factor-password');
  await panel.getByLabel('Your password').fill(person.password);
  await panel.getByRole('button', { name: 'Continue' }).click();
  await panel.getByRole('img', { name: /^QR code/ }).waitFor();
  await take('second-factor-scan');
  const key = (await panel.getByText(/^[A-Z2-7]{4}( [A-Z2-7]{1,4})+$/).textContent()) ?? '';
  await panel.getByLabel('Code', { exact: true }).fill(createTimeCode(key));
  await panel.getByRole('button', { name: 'Switch on' }).click();
  await panel.getByRole('list', { name: 'Backup codes' }).waitFor();
  await take('second-factor-codes');
  await panel.getByRole('button', { name: 'I have kept them' }).click();
  await panel.getByText('On', { exact: true }).waitFor();
  await take('second-factor-on');
  await page.evaluate(() => localStorage.clear());
  await page.context().clearCookies();
  await page.goto('/login');
  await submitLogin(page, person);
  await page.getByLabel('Code').waitFor();
  await take('login-second-factor');
});

test('pictures the deletion of an account', async ({ page, request, take }) => {
  await signIn(page, await register(request, createPerson()), '/dashboard/my-profile');
  await page.getByRole('button', { name: 'Delete account' }).click();
  await take('delete-account', false);
});

test('pictures the verification of an address', async ({ page, request, take }) => {
  await page.goto('/verify-email');
  await take('verify-email-no-link');
  await page.goto('/verify-email#token=not-one');
  await page.reload();
  await page.getByRole('link', { name: 'Log in to confirm' }).waitFor();
  await take('verify-email-signed-out');
  const person = await registerNamed(request, 'Amara Okafor');
  await signIn(page, person, '/verify-email#token=not-one');
  const confirm = page.getByRole('button', { name: 'Confirm this address' });
  await confirm.waitFor();
  await take('verify-email');
  await confirm.click();
  await page.getByRole('alert').waitFor();
  await take('verify-email-dead');
});

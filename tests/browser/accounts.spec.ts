import { expect, type Page } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll } from './accessibility.ts';
import { placeOrder } from './orders.ts';
import {
  administrator,
  createPerson,
  type Person,
  register,
  registerAdministrator,
  signIn,
  submitLogin,
} from './people.ts';
import { addProduct } from './products.ts';
import { test } from './recorded-test.ts';
import { findRow, pressInMenu } from './rows.ts';
import { createTimeCode } from './time-code.ts';

const profile = '/dashboard/my-profile';
const panel = (page: Page, name: string) => page.getByRole('region', { name });

test("an administrator's reset link sets a new password once", async ({ page, browser, request }) => {
  const person = await register(request, createPerson('Thandi Mokoena'));
  await page.goto('/login');
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Forgotten password' })).toBeFocused();
  await page.getByLabel('Email').fill(person.email);
  await page.getByRole('button', { name: 'Ask for a new password' }).click();
  await expect(page.getByText(/administrators of the shop now see/)).toBeVisible();
  await expectAccessible(page);

  const link = await makeResetLink(await browser.newPage(), person);
  await page.goto(link);
  const newPassword = page.getByLabel('New password');
  await newPassword.fill('secret 2');
  await page.getByRole('button', { name: 'Set new password' }).click();
  await expect(page).toHaveURL('/login');
  await expect(page.getByText('Your new password is set. Log in with it.')).toBeVisible();

  await submitLogin(page, person);
  await expect(page.getByRole('alert')).toContainText('Invalid email or password');
  await submitLogin(page, { ...person, password: 'secret 2' });
  await expect(page).toHaveURL('/');
  await page.goto(link);
  await newPassword.fill('secret 3');
  await page.getByRole('button', { name: 'Set new password' }).click();
  await expect(page.getByRole('alert')).toContainText('This link was already used or has expired.');
});

async function makeResetLink(page: Page, { name, email }: Person): Promise<string> {
  await signIn(page, administrator, `/dashboard/manage-users?q=${encodeURIComponent(email)}`);
  await pressInMenu(findRow(page, email), `Reset link: ${name}`);
  await page.getByRole('button', { name: 'Create a reset link', exact: true }).click();
  const made = page.getByRole('dialog', { name: `Reset link for ${name}` });
  const link = (await made.getByText(/\/reset-password#token=.+/).textContent()) ?? '';
  await expectAccessible(page);
  await page.close();
  return link;
}

test('the profile and a new password end a session elsewhere', async ({ page, browser, request }) => {
  const person = await register(request, createPerson('Sipho Ndlovu'));
  await signIn(page, person, profile);
  const elsewhere = await browser.newPage();
  await signInAgain(elsewhere, person);
  await page.reload();
  const sessions = panel(page, 'Sessions');
  await expect(sessions.getByText('This browser')).toBeVisible();
  const end = sessions.getByRole('button', { name: /^End: Chrome on/ });
  await end.click();
  await expect(page.getByText('Session ended')).toBeVisible();
  await expect(end).toHaveCount(0);
  await expectSignedOut(elsewhere);

  await signInAgain(elsewhere, person);
  await page.getByLabel('Current password').fill(person.password);
  await page.getByLabel('New password').fill('secret 2');
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByText('Your password is changed. Other browsers are signed out.')).toBeVisible();
  await page.getByLabel('Location').fill('Durban');
  await page.getByRole('button', { name: 'Update profile' }).click();
  await expect(page.getByText('profile updated successfully')).toBeVisible();
  await expectSignedOut(elsewhere);
  await elsewhere.close();
});

/** `signIn` would share the session. */
async function signInAgain(page: Page, person: Person): Promise<void> {
  await page.goto('/login?from=%2Fdashboard%2Fmy-orders');
  await submitLogin(page, person);
  await expect(page).toHaveURL('/dashboard/my-orders');
}

async function expectSignedOut(page: Page): Promise<void> {
  await page.goto('/dashboard/my-orders');
  await expect(page).toHaveURL(/\/login/);
}

test('an administrator enables a second factor and signs in with it', async ({ page, request }) => {
  const person = await registerAdministrator(request, 'Ines Carvalho');
  await signIn(page, person, profile);
  const key = await switchOnSecondFactor(page, person);
  await panel(page, 'Second factor').getByRole('button', { name: 'I have kept them' }).click();
  await expect(panel(page, 'Second factor').getByText('On', { exact: true })).toBeVisible();

  await logOutAndIn(page, person);
  await expect(page.getByLabel('Code')).toBeFocused();
  await expectAccessible(page);
  // Each code works once.
  await page.getByLabel('Code').fill(createTimeCode(key, 1));
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/');
});

async function switchOnSecondFactor(page: Page, { password }: Person) {
  const secondFactor = panel(page, 'Second factor');
  await secondFactor.getByRole('button', { name: 'Set up' }).click();
  await secondFactor.getByLabel('Your password').fill(password);
  await secondFactor.getByRole('button', { name: 'Continue' }).click();
  await expect(secondFactor.getByRole('img', { name: /^QR code/ })).toBeVisible();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  const key = (await secondFactor.getByText(/^[A-Z2-7]{4}( [A-Z2-7]{1,4})+$/).textContent()) ?? '';
  await secondFactor.getByLabel('Code', { exact: true }).fill(createTimeCode(key));
  await secondFactor.getByRole('button', { name: 'Switch on' }).click();
  const list = secondFactor.getByRole('list', { name: 'Backup codes' });
  await expect(list.getByRole('listitem')).toHaveCount(10);
  await expectAccessible(page);
  return key;
}

async function logOutAndIn(page: Page, person: Person): Promise<void> {
  await page.goto('/');
  await page.getByRole('button', { name: 'Ines', exact: true }).click();
  await page.getByRole('button', { name: 'Logout' }).click();
  await page.goto('/login');
  await submitLogin(page, person);
}

test('a customer downloads their data and deletes the account', async ({ page, request }) => {
  const person = await register(request, createPerson('Zanele Dube'));
  await placeOrder(request, person, await addProduct(request));
  await signIn(page, person, profile);
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download my data' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^my-data-\d{4}-\d{2}-\d{2}\.json$/);

  await openDeletion(page, person);
  await expect(page.getByRole('alert')).toContainText('You have 1 unpaid order.');
  await expectAccessible(page);
  await page.getByRole('dialog').getByRole('link', { name: 'My Orders' }).click();
  await pressInMenu(page.getByRole('row').last(), /^Cancel order of/);
  await page.getByRole('button', { name: 'Cancel order', exact: true }).click();
  await expect(page.getByText('No orders yet')).toBeVisible();

  await page.goto(profile);
  await openDeletion(page, person);
  await expect(page.getByText('Your account is deleted')).toBeVisible();
  await expect(page).toHaveURL('/login');
  await submitLogin(page, person);
  await expect(page.getByRole('alert')).toContainText('Invalid email or password');
});

async function openDeletion(page: Page, { email }: Person): Promise<void> {
  await page.getByRole('button', { name: 'Delete account' }).focus();
  await page.keyboard.press('Enter');
  const question = page.getByRole('dialog', { name: 'Delete your account?' });
  await expect(question.getByLabel('Type your email to confirm')).toBeFocused();
  await page.keyboard.type(email);
  await page.keyboard.press('Enter');
}

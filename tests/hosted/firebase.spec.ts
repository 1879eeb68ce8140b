import { expect, type Page } from '@playwright/test';
import { expectAccessible } from '../browser/accessibility.ts';
import {
  createPerson,
  type Person,
  readAccessToken,
  registerByPage,
  submitLogin,
} from '../browser/people.ts';
import { type Google, shopUrl, test } from './google.ts';

const banner = (page: Page) => page.getByRole('alert');
const account = (page: Page) => page.getByRole('button', { name: 'Amara' });

async function aRegisteredPerson(page: Page): Promise<Person> {
  const person = createPerson();
  await registerByPage(page, person);
  await expect(page).toHaveURL('/login');
  return person;
}

async function signIn(page: Page, person: Person): Promise<void> {
  await page.goto('/login');
  await submitLogin(page, person);
}

const askedFor = (google: Google, part: string) => google.asked.filter((address) => address.includes(part));

test('a visitor registers, signs in and stays signed in', async ({ page, google }) => {
  const person = createPerson();
  await registerByPage(page, person);
  await expect(page).toHaveURL('/login');
  await expect(page.getByText('Registration Successful. Please Login !')).toBeVisible();
  expect(await readAccessToken(page)).toBeNull();
  await submitLogin(page, person);
  await expect(page).toHaveURL('/');
  await expect(account(page)).toBeVisible();
  expect(await readAccessToken(page)).not.toBeNull();
  await page.reload();
  await expect(account(page)).toBeVisible();
  expect(await google.findLink(person.email, 'VERIFY_EMAIL')).toBeDefined();
});

test('pages load nothing of Firebase before the login page', async ({ page, google }) => {
  const scripts: Promise<string>[] = [];
  page.on('response', (response) => {
    if (response.url().endsWith('.js')) scripts.push(response.text().catch(() => ''));
  });
  // Scripts are named by hash; the client's contains its host.
  const isLoaded = async () =>
    (await Promise.all(scripts)).some((script) => script.includes('identitytoolkit.googleapis.com'));
  await page.goto('/');
  await page.goto('/all-products');
  await expect(page.getByRole('link', { name: 'Order Now' }).first()).toBeVisible();
  expect(await isLoaded()).toBe(false);
  await page.goto('/login');
  await expect.poll(isLoaded).toBe(true);
  expect(google.asked).toEqual([]);
});

test('logging out signs out other tabs too', async ({ page, context, google: _ }) => {
  const person = await aRegisteredPerson(page);
  const other = await context.newPage();
  await other.goto('/');
  await signIn(page, person);
  await expect(page).toHaveURL('/');
  await expect(account(other)).toBeVisible();
  await account(page).click();
  await page
    .getByRole('button', { name: 'Logout' })
    .or(page.getByRole('menuitem', { name: 'Logout' }))
    .click();
  await expect(page.getByRole('link', { name: 'Login' }).first()).toBeVisible();
  await expect(other.getByRole('link', { name: 'Login' }).first()).toBeVisible();
  await page.reload();
  await expect(account(page)).toHaveCount(0);
});

test('a wrong password and an unknown address get the same message', async ({ page, google }) => {
  const person = await aRegisteredPerson(page);
  await signIn(page, { ...person, password: 'not the one' });
  await expect(banner(page)).toHaveText('Firebase: Error (auth/invalid-credential).');
  await signIn(page, createPerson());
  await expect(banner(page)).toHaveText('Firebase: Error (auth/invalid-credential).');
  await expectAccessible(page);
  expect(askedFor(google, 'accounts:signInWithPassword')).toHaveLength(2);
});

test("a second account for an address gets Firebase's message", async ({ page, google: _ }) => {
  const person = await aRegisteredPerson(page);
  await registerByPage(page, person);
  await expect(banner(page)).toHaveText('Firebase: Error (auth/email-already-in-use).');
});

test("a forgotten password is reset by Firebase's link", async ({ page, google }) => {
  const person = await aRegisteredPerson(page);
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await expect(page.getByRole('heading', { name: 'Forgotten password' })).toBeVisible();
  await page.getByLabel('Email').fill(person.email);
  await page.getByRole('button', { name: 'Ask for a new password' }).click();
  await expect(page.getByText('a message with a link is on its way')).toBeVisible();
  const link = await google.findLink(person.email, 'PASSWORD_RESET');
  const used = await fetch(`${link}&newPassword=${encodeURIComponent('a newer secret')}`);
  expect(used.ok).toBe(true);
  await signIn(page, { ...person, password: 'a newer secret' });
  await expect(page).toHaveURL('/');
});

test('a reset for an unknown address gets the same answer', async ({ page, google }) => {
  const { email } = createPerson();
  await page.goto('/forgot-password');
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Ask for a new password' }).click();
  await expect(page.getByText('a message with a link is on its way')).toBeVisible();
  expect(await google.findLink(email, 'PASSWORD_RESET')).toBeUndefined();
});

test('an unconfirmed customer gets the link again, then orders the typed order', async ({ page, google }) => {
  const person = await aRegisteredPerson(page);
  await signIn(page, person);
  await expect(account(page)).toBeVisible();
  const [part] = await (await page.request.get(`${shopUrl}/product?limit=1`)).json();
  await page.goto(`/purchase/${part._id}`);
  await page.getByLabel('Address').fill('12 Oxford Street, Osu, Accra');
  await page.getByLabel('phone').fill('233302771204');
  const purchase = page.getByRole('button', { name: 'Purchase' });
  await purchase.click();
  await expect(page.getByText('Confirm your address first.')).toBeVisible();

  const first = await google.findLink(person.email, 'VERIFY_EMAIL');
  await page.getByRole('button', { name: 'Send the link again' }).click();
  await expect.poll(() => google.findLink(person.email, 'VERIFY_EMAIL')).not.toBe(first);
  expect((await fetch(String(await google.findLink(person.email, 'VERIFY_EMAIL')))).ok).toBe(true);
  await purchase.click();
  await expect(page.getByText('Order placed successfully')).toBeVisible();
});

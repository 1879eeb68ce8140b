import { expect, type Page } from '@playwright/test';
import { createPerson, readAccessToken, registerByPage, submitLogin } from '../browser/people.ts';
import { askControl, connectGoogle, openGoogle, shopUrl, signInByGoogle, test } from './google.ts';
import { ADMIN_EMAIL } from './project.ts';

const banner = (page: Page) => page.getByRole('alert');
const findMenu = (page: Page, name: string) => page.getByRole('button', { name });

test('CONTINUE WITH GOOGLE registers in a popup and returns to the page', async ({ page, google: _ }) => {
  await page.goto('/login?from=%2Fportfolio');
  await signInByGoogle(page, { email: createPerson().email, name: 'Kofi Mensah' });
  await expect(page).toHaveURL('/portfolio');
  await expect(findMenu(page, 'Kofi')).toBeVisible();
  expect(await readAccessToken(page)).not.toBeNull();
});

test('a closed popup shows a message, and the next one works', async ({ page, google: _ }) => {
  test.slow();
  await page.goto('/login');
  const popup = await openGoogle(page);
  await popup.close();
  await expect(banner(page)).toHaveText('Firebase: Error (auth/popup-closed-by-user).', { timeout: 30_000 });
  await signInByGoogle(page, { email: createPerson().email, name: 'Kofi Mensah' });
  await expect(page).toHaveURL('/');
});

test("the owner of an address ends a squatter's account by Google sign-in", async ({
  page,
  browser,
  google: _,
}) => {
  const victim = createPerson('Amara Okafor');
  const squatterContext = await browser.newContext();
  await connectGoogle(squatterContext);
  const squatter = await squatterContext.newPage();
  await registerByPage(squatter, { ...victim, name: 'Somebody Else' });
  await expect(squatter).toHaveURL('/login');
  await submitLogin(squatter, victim);
  await expect(squatter).toHaveURL('/');

  await page.goto('/login');
  await signInByGoogle(page, { email: victim.email, name: victim.name });
  await expect(page).toHaveURL('/');
  await expect(findMenu(page, 'Amara')).toBeVisible();

  // The squatter's tokens are refused.
  await squatter.goto('/dashboard/my-profile');
  await expect(squatter).toHaveURL(/^[^?]*\/login/);
  expect(await readAccessToken(squatter)).toBeNull();
  await submitLogin(squatter, victim);
  await expect(banner(squatter)).toHaveText('Firebase: Error (auth/invalid-credential).');
  await squatterContext.close();
});

test('proving ADMIN_EMAIL makes the administrator, who deletes people at Firebase too', async ({
  page,
  browser,
  google,
}) => {
  const person = createPerson('Kofi Mensah');
  const theirContext = await browser.newContext();
  await connectGoogle(theirContext);
  const theirs = await theirContext.newPage();
  await theirs.goto('/login');
  await signInByGoogle(theirs, person);
  await expect(theirs).toHaveURL('/');
  expect(await google.findAccount(person.email)).toBeDefined();

  await page.goto('/login');
  await signInByGoogle(page, { email: ADMIN_EMAIL, name: 'Chief' });
  await expect(page).toHaveURL('/');
  const token = await readAccessToken(page);
  const answer = await page.request.delete(`${shopUrl}/user/${encodeURIComponent(person.email)}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(await answer.json()).toEqual({ deletedCount: 1 });
  expect(await google.findAccount(person.email)).toBeDefined();
  expect(await askControl('/delete-hosted-accounts')).toEqual({ deleted: 1 });
  expect(await google.findAccount(person.email)).toBeUndefined();

  await theirs.goto('/dashboard/my-profile');
  await expect(theirs).toHaveURL(/^[^?]*\/login/);
  await theirContext.close();
});

import { expect, type Page } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll, themes } from './accessibility.ts';
import { test } from './mail-shop.ts';
import { createPerson, submitLogin } from './people.ts';

// One shop for all of them.
test.describe.configure({ mode: 'default' });

async function expectAccessibleInBothThemes(page: Page): Promise<void> {
  for (const theme of themes) {
    await page.evaluate((name) => {
      document.documentElement.dataset.theme = name;
    }, theme);
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
  }
}

test('a mailed link proves the address of whoever is logged in, and nobody else’s', async ({
  page,
  browser,
  mailShop: { server },
}) => {
  const person = createPerson();
  await page.goto('/register');
  await page.getByLabel('Name').fill(person.name);
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password').fill(person.password);
  await page.getByRole('button', { name: 'SIGN UP' }).click();
  await expect(page).toHaveURL('/login');
  await submitLogin(page, person);
  await expect(page).toHaveURL('/');
  await expect.poll(() => server.to(person.email).length).toBe(1);
  const [mail] = server.to(person.email);
  const link = /http\S+\/verify-email#\S+/.exec(mail?.text ?? '')?.[0] ?? '';
  expect(mail?.html).toContain(link);

  // Somebody else who has the link, and is logged in to nothing.
  const stranger = await browser.newPage();
  await stranger.goto(link);
  await expect(stranger.getByRole('link', { name: 'Log in to confirm' })).toBeVisible();
  await stranger.close();

  await page.goto(link);
  await expect(page.getByText(`You are logged in as ${person.email}.`)).toBeVisible();
  await expectAccessibleInBothThemes(page);
  await page.getByRole('button', { name: 'Confirm this address' }).click();
  await expect(page.getByText(`${person.email} is confirmed.`)).toBeVisible();
  await expectAccessibleInBothThemes(page);
});

test('an address that is no whole link, and a link that is nobody’s, say so', async ({ page }) => {
  await page.goto('/verify-email');
  await expect(page.getByRole('alert')).toContainText('This address is no whole link.');
  await expectAccessibleInBothThemes(page);
});

import { expect } from '@playwright/test';
import { expectFit } from './accessibility.ts';
import { test } from './mail-shop.ts';
import { createPerson, registerByPage, submitLogin } from './people.ts';

test('a mailed link verifies the address of its customer only', async ({
  page,
  browser,
  mailShop: { server },
}) => {
  const person = createPerson();
  await registerByPage(page, person);
  await expect(page).toHaveURL('/login');
  await submitLogin(page, person);
  await expect(page).toHaveURL('/');
  await expect.poll(() => server.to(person.email).length).toBe(1);
  const [mail] = server.to(person.email);
  const link = /http\S+\/verify-email#\S+/.exec(mail?.text ?? '')?.[0] ?? '';
  expect(mail?.html).toContain(link);

  // Somebody else with the link, without a sign-in.
  const stranger = await browser.newPage();
  await stranger.goto(link);
  await expect(stranger.getByRole('link', { name: 'Log in to confirm' })).toBeVisible();
  await stranger.close();

  await page.goto(link);
  await expect(page.getByText(`You are logged in as ${person.email}.`)).toBeVisible();
  await expectFit(page);
  await page.getByRole('button', { name: 'Confirm this address' }).click();
  await expect(page.getByText(`${person.email} is confirmed.`)).toBeVisible();
  await expectFit(page);
});

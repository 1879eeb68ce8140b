import { expect, type Locator } from '@playwright/test';
import {
  expectAccessible,
  expectFit,
  expectNoSidewaysScroll,
  storeTheme,
  themes,
  wcag,
} from './accessibility.ts';
import { placeOrder } from './orders.ts';
import { administrator, callAs, createPerson, register, signIn } from './people.ts';
import { addProduct } from './products.ts';
import { test } from './recorded-test.ts';

/** Background colour of a mail. */
const readGround = (frame: Locator) =>
  frame.evaluate((element) => {
    const page = (element as HTMLIFrameElement).contentDocument;
    const sheet = page?.querySelector('.sheet');
    return sheet ? getComputedStyle(sheet).backgroundColor : '';
  });

const grounds = { light: 'rgb(255, 255, 255)', dark: 'rgb(21, 25, 30)' };

test('a mail alone is accessible in both themes', async ({ page, request }) => {
  const customer = await register(request, createPerson());
  await placeOrder(request, customer, await addProduct(request));
  const { data } = await callAs(request, administrator, 'GET', '/mail');
  const mail = data.find(
    ({ kind, to }: { kind: string; to?: { email: string } }) =>
      kind === 'order-placed' && to?.email === customer.email,
  );
  const { html } = await callAs(request, administrator, 'GET', `/mail/${mail._id}`);
  for (const theme of themes) {
    await page.emulateMedia({ colorScheme: theme });
    await page.setContent(html);
    await expect(page.getByRole('heading')).toHaveText('Your order is placed');
    await expectAccessible(page, wcag);
    await expectNoSidewaysScroll(page);
  }
});

test("a mail's preview follows the theme and has no secret link", async ({ page, request }) => {
  await storeTheme(page, 'light');
  await page.emulateMedia({ colorScheme: 'dark' });
  const customer = await register(request, createPerson());
  await signIn(page, administrator, '/dashboard/manage-users');
  await page.getByRole('link', { name: 'Mail' }).click();
  const row = page.getByRole('row').filter({ hasText: customer.email });
  await expect(row).toContainText('Waiting');
  await row.getByRole('link', { name: 'Confirm your address' }).click();
  await expect(page.locator('pre')).toContainText('/hidden-from-administrators');
  const frame = page.locator('iframe');
  await expect.poll(() => readGround(frame)).toBe(grounds.light);
  await expect(frame.contentFrame().getByRole('link')).toHaveCount(0);
  // Uses a second tab, as a phone's menu hides the switch.
  const other = await page.context().newPage();
  await other.goto('/robots.txt');
  await other.evaluate(() => localStorage.setItem('theme', 'dark'));
  await expect.poll(() => readGround(frame)).toBe(grounds.dark);
  await expectNoSidewaysScroll(page);
  // axe waits forever for a frame without scripts.
  await frame.evaluate((element) => element.remove());
  await expectFit(page);
});

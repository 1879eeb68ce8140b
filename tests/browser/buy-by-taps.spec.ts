import { expect, type Page } from '@playwright/test';
import { cardFrame } from './card-form.ts';
import { createPerson, register, signIn } from './people.ts';
import { addProduct } from './products.ts';
import { test } from './silent-test.ts';

const LOWEST_PHONE = { width: 390, height: 844 };

/** Types on the phone's keyboard into the field that has the focus. */
const type = (page: Page, text: string) => page.keyboard.type(text);

/** Taps what has this role and name. Each counts. */
function countTaps(page: Page) {
  const taps: string[] = [];
  const tap = async (role: 'link' | 'button' | 'textbox', name: string | RegExp) => {
    await page.getByRole('main').getByRole(role, { name }).first().tap();
    taps.push(String(name));
  };
  return { taps, tap };
}

/** From the purchase page. "Pay $…" gives the focus to the card, whose fields follow each other. */
async function pay(page: Page, tap: ReturnType<typeof countTaps>['tap']) {
  await tap('button', 'Purchase');
  // The one bar at the foot now pays.
  const bar = page.locator('[data-bottom-bar="fixed"]').filter({ visible: true });
  await expect(bar).toHaveText(/^Order \d+, unpaidPay laterPay \$/);
  await expect(bar).toHaveCSS('position', 'fixed');
  await tap('link', /^Pay \$/);
  const number = cardFrame(page).locator('[name=number]');
  await expect.poll(() => number.evaluate((field) => field === document.activeElement)).toBe(true);
  await type(page, '4242424242424242');
  // A complete field leads to the next.
  await type(page, `12${String(new Date().getFullYear() + 1).slice(-2)}`);
  await type(page, '123');
  await tap('button', /^Pay \$/);
  await expect(page.getByText('Success: Congrats. Your Payment is completed.')).toBeVisible();
}

test('a returning customer pays with four taps', { tag: '@only-phone' }, async ({ page, request }) => {
  await page.setViewportSize(LOWEST_PHONE);
  const person = await register(page.request);
  const part = await addProduct(request);
  await signIn(page, person, `/purchase/${part._id}`);
  await page.getByLabel('Address').fill('12 Oxford Street, Osu\nAccra, Ghana');
  await page.getByLabel('phone').fill('233302771204');
  await page.getByRole('button', { name: 'Purchase' }).tap();
  await expect(page.getByText('Order placed successfully')).toBeVisible();
  await page.setViewportSize({ width: 320, height: 640 });
  const [later, now] = await Promise.all(
    ['Pay later', /^Pay \$/].map((name) => page.getByRole('link', { name }).boundingBox()),
  );
  // Side by side.
  expect(now?.x).toBeGreaterThan((later?.x ?? 0) + (later?.width ?? 0));
  await page.setViewportSize(LOWEST_PHONE);
  await page.goto('/');
  const { taps, tap } = countTaps(page);
  await tap('link', /^Order Now/);
  await pay(page, tap);
  expect(taps).toHaveLength(4);
});

test('a new customer pays with ten taps', { tag: '@only-phone' }, async ({ page }) => {
  await page.setViewportSize(LOWEST_PHONE);
  const person = createPerson();
  const { taps, tap } = countTaps(page);
  await page.goto('/');
  await tap('link', /^Order Now/);
  await tap('link', 'Create an account');
  await tap('textbox', 'Name');
  await type(page, person.name);
  // The keyboard's "Next".
  await page.keyboard.press('Tab');
  await type(page, person.email);
  await page.keyboard.press('Tab');
  await type(page, person.password);
  await tap('button', 'SIGN UP');
  await expect(page.getByLabel('Password')).toBeFocused();
  await type(page, person.password);
  await tap('button', 'Login');
  await tap('textbox', 'Address');
  await type(page, '12 Oxford Street, Osu, Accra');
  await page.keyboard.press('Tab');
  await type(page, '233302771204');
  await pay(page, tap);
  expect(taps.length).toBeLessThanOrEqual(10);
});

import { expect, type Page } from '@playwright/test';
import { storeTheme } from './accessibility.ts';
import { register, signIn } from './people.ts';
import { addProduct } from './products.ts';
import { test } from './silent-test.ts';

/** Names without rules of their own: those that packages give, and marks for the rules of what is inside. */
const marks = [/^active$/, /^group\b/];

/** The classes on the page that no rule of its style sheets names. */
const findClassesWithoutRule = (page: Page) =>
  page.evaluate(() => {
    const listSelectors = (rules: CSSRuleList): string[] =>
      [...rules].flatMap((rule) => [
        ...(rule instanceof CSSStyleRule ? [rule.selectorText] : []),
        ...('cssRules' in rule ? listSelectors(rule.cssRules as CSSRuleList) : []),
      ]);
    const selectors = [...document.styleSheets].flatMap(({ cssRules }) => listSelectors(cssRules)).join('\n');
    const named = new Set(selectors.match(/\.(?:\\.|[\w-])+/g));
    const used = new Set(
      [...document.querySelectorAll('[class]')].flatMap(({ classList }) => [...classList]),
    );
    return [...used].filter((name) => !named.has(`.${CSS.escape(name)}`));
  });

/**
 * Public pages load a style sheet of their own, for which the build collects the files that they import. A file that it
 * overlooks would leave its classes without a rule.
 */
async function expectEveryClassStyled(page: Page): Promise<void> {
  const bare = (await findClassesWithoutRule(page)).filter((name) => !marks.some((mark) => mark.test(name)));
  expect(bare, page.url()).toEqual([]);
}

/** The server does not know the theme: when the dark one is stored, the button is pressed once the page is hydrated. */
const expectHydrated = (page: Page) =>
  expect(page.getByRole('button', { name: 'Dark theme', pressed: true })).toBeVisible();

test('every class of a public page has its rule, as the server sends it and when it has come to life', async ({
  page,
  browser,
}) => {
  await storeTheme(page, 'dark');
  const withoutScript = await browser.newContext({ javaScriptEnabled: false });
  const asSent = await withoutScript.newPage();
  for (const path of [
    '/',
    '/blogs',
    '/portfolio',
    '/all-products',
    '/all-products?q=nothing-has-this-name',
    '/login',
    '/register',
    '/forgot-password',
    '/reset-password?token=none',
    '/verify-email?token=none',
    '/nowhere',
  ]) {
    await asSent.goto(path);
    await expectEveryClassStyled(asSent);
    await page.goto(path);
    await expectHydrated(page);
    await expectEveryClassStyled(page);
  }
  await withoutScript.close();
});

test('so has every class of a part’s page, which keeps its connection open', async ({ page, request }) => {
  const part = await addProduct(request);
  await page.goto(`/products/${part._id}/part`);
  await expect(page.locator('[data-live=true]')).toBeVisible();
  await expectEveryClassStyled(page);
  await page.getByRole('button', { name: 'Add to batch' }).click();
  await expect(page.getByRole('main').getByRole('link', { name: /^Open batch/ })).toBeVisible();
  await expectEveryClassStyled(page);
  await page.getByRole('spinbutton', { name: 'Quantity' }).fill('1');
  await expectEveryClassStyled(page);
  // The dialog brings a sheet of its own along.
  await page.getByRole('link', { name: 'QR code' }).click();
  await expect(page.getByRole('dialog', { name: 'QR code' })).toBeVisible();
  await expectEveryClassStyled(page);
});

test(
  'so has what whoever is signed in opens on a public page',
  { tag: '@phone' },
  async ({ page, request }, { project }) => {
    const person = await register(request);
    await signIn(page, person, '/blogs');
    // A page that is loaded anew has the public pages' sheet alone.
    await page.reload();
    const banner = page.getByRole('banner');
    if (project.name === 'phone') {
      await banner.getByRole('button', { name: 'Menu' }).click();
      await expect(banner.getByRole('link', { name: 'Dashboard' })).toBeVisible();
      await expectEveryClassStyled(page);
      await page.keyboard.press('Escape');
    }
    await banner.locator('[aria-controls=account-menu]').click();
    await expect(banner.getByText(person.email)).toBeVisible();
    await expect(banner.getByRole('link', { name: 'Dashboard' })).toBeVisible();
    await expectEveryClassStyled(page);
  },
);

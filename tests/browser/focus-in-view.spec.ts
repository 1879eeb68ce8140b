import { expect, type Page } from '@playwright/test';
import { administrator, signIn } from './people.ts';
import { addProduct } from './products.ts';
import { test } from './silent-test.ts';

/** Pixels below the filter bar; negative when covered. */
const measureBelowBar = (page: Page) =>
  page.evaluate(() => {
    const bar = document.querySelector('[data-filter-bar]');
    if (!bar || !document.activeElement) throw new Error('There is no filter bar, or nothing has the focus.');
    return document.activeElement.getBoundingClientRect().top - bar.getBoundingClientRect().bottom;
  });

test('the filter bar covers no focused link', async ({ page }) => {
  for (const width of [800, 1024, 1440]) {
    await page.setViewportSize({ width, height: 768 });
    await page.goto('/all-products');
    const links = page
      .getByRole('main')
      .getByRole('listitem')
      .getByRole('link', { name: /^Order Now: / });
    await links.last().focus();
    // Two stops a card: some screens up.
    for (let stop = 0; stop < 20; stop += 1) {
      await page.keyboard.press('Shift+Tab');
      expect(await measureBelowBar(page)).toBeGreaterThanOrEqual(0);
    }
  }
});

test('the heading of a part is in view in small windows', async ({ page, request }) => {
  const part = await addProduct(request);
  for (const [width, height] of [
    [640, 400],
    [320, 400],
  ] as const) {
    await page.setViewportSize({ width, height });
    // Parts of other stories come first.
    await page.goto(`/all-products?q=${encodeURIComponent(part.name)}`);
    const link = page.getByRole('heading', { name: part.name }).getByRole('link');
    await link.press('Enter');
    const heading = page.getByRole('heading', { level: 1, name: part.name });
    await expect(heading).toBeFocused();
    await expect(heading).toBeInViewport({ ratio: 1 });
    // Back returns to the followed link.
    await page.goBack();
    await expect(link).toBeFocused();
    await expect(link).toBeInViewport();
  }
});

test('a dialog gives the focus back to a button that took none', async ({ page }) => {
  // As Safari, which focuses no pressed button.
  await page.addInitScript(() => addEventListener('mousedown', (event) => event.preventDefault()));
  await signIn(page, administrator, '/dashboard/connections');
  const button = page.getByRole('button', { name: 'New key' });
  await button.click();
  await expect(page.getByRole('dialog', { name: 'New key' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(button).toBeFocused();
});

import { expect, type Page } from '@playwright/test';
import { expectAccessible, expectFit, expectNoSidewaysScroll } from './accessibility.ts';
import { expectEveryClassStyled } from './class-rules.ts';
import { holdRequests } from './network.ts';
import { registerCustomerWithOrder } from './orders.ts';
import { administrator, register, signIn } from './people.ts';
import { addProduct, saveInBatch } from './products.ts';
import { test } from './silent-test.ts';

const focused = (page: Page) => page.locator(':focus');

test("a phone's menus lead to each page and name the batch", { tag: '@only-phone' }, async ({
  page,
  request,
}) => {
  await page.goto('/blogs');
  const menu = page.getByRole('button', { name: 'Menu' });
  await menu.click();
  const bar = page.getByRole('navigation', { name: 'Main' });
  await expect(bar.getByRole('link').filter({ visible: true })).toHaveText([
    'Home',
    'Blogs',
    'All Parts',
    'MyPortfolio',
    'Login',
  ]);
  await expect(bar.getByRole('link', { name: 'Blogs' })).toHaveAttribute('aria-current', 'page');
  await expectAccessible(page);

  const person = await register(request);
  const part = await addProduct(request);
  await saveInBatch(request, person, part);
  await signIn(page, person, '/dashboard/batch');
  await expect(page.getByLabel(`Quantity of ${part.name}`)).toBeVisible();
  await page.goto('/blogs');
  const batch = page.getByRole('link', { name: 'Batch, 1 line' });
  await expect(batch).toBeVisible();
  await menu.click();
  await expect(page.getByRole('banner').getByRole('link', { name: 'Dashboard' })).toBeVisible();
  await expectEveryClassStyled(page);
  await batch.click();
  await expect(page.getByLabel(`Quantity of ${part.name}`)).toHaveValue('50');

  await page.getByRole('button', { name: /^Dashboard menu, current page: / }).click();
  await expect(page.getByRole('dialog', { name: 'Dashboard menu' })).toBeVisible();
  await expectFit(page);
  await page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name: 'My Orders' }).click();
  await expect(page).toHaveURL('/dashboard/my-orders');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1, name: 'My Orders' })).toBeFocused();
});

test('the keyboard reaches the content in one step and shows its focus', async ({ page }) => {
  await page.goto('/all-products');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeInViewport();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  // Kinds come first where there is room.
  const isWide = (page.viewportSize()?.width ?? 0) >= 768;
  const kinds = page.getByRole('main').getByRole('link', { name: /^All/ });
  await expect(isWide ? kinds : page.getByRole('searchbox')).toBeFocused();
  for (let stops = 0; stops < 20; stops += 1) {
    await page.keyboard.press('Tab');
    await expect(focused(page)).toBeInViewport();
    expect(await isMarked(page)).toBe(true);
    expect(await isUncovered(page)).toBe(true);
  }
});

test('a loading page fits 320 px', { tag: '@full' }, async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await signIn(page, administrator);
  for (const [path, address, wait] of [
    ['/dashboard/my-profile', '**/identity/list-sessions', 'Loading'],
    ['/dashboard/my-profile', '**/user/*', 'Loading'],
    ['/dashboard/manage-orders', '**/order?*', 'Loading'],
    ['/dashboard/manage-users', '**/user?*', 'Loading'],
    ['/dashboard/manage-products', '**/product?*', 'Loading'],
    ['/dashboard/overview', '/overview', 'Loading'],
    ['/dashboard/activity', '**/activity?*', 'Loading'],
  ] as const) {
    const release = await holdRequests(page, address);
    await page.goto(path);
    await expect(page.getByRole('main').getByText(wait).first()).toBeAttached();
    await expectNoSidewaysScroll(page);
    release();
    await page.unrouteAll({ behavior: 'wait' });
  }
});

test('nothing shifts after a page has loaded', { tag: '@phone' }, async ({ page, request }) => {
  const { person, part } = await registerCustomerWithOrder(request);
  await page.addInitScript(() => {
    const shifts = { total: 0 };
    Object.assign(globalThis, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.total += (entry as unknown as { value: number }).value;
    }).observe({ type: 'layout-shift', buffered: true });
  });
  const measureShift = async (path: string, ready: string) => {
    const releases = await Promise.all(
      ['**/user/*', '**/user?*', '**/order?*', '**/order/*', '**/product?*', '**/product/*', '**/config'].map(
        (address) => holdRequests(page, address),
      ),
    );
    await page.goto(path);
    await expect(
      page.getByText('Checking your sign-in').or(page.locator('[aria-busy=true]')).first(),
    ).toBeAttached();
    for (const release of releases) release();
    await expect(page.getByText(ready).first()).toBeVisible();
    await page.unrouteAll({ behavior: 'wait' });
    return page.evaluate(() => (globalThis as unknown as { shifts: { total: number } }).shifts.total);
  };
  await signIn(page, person);
  for (const [path, ready] of [
    [`/purchase/${part._id}`, 'Your order'],
    ['/dashboard/my-profile', 'Update your profile'],
    ['/dashboard/my-orders', part.name],
  ] as const) {
    expect(await measureShift(path, ready), path).toBeLessThan(0.02);
  }
  await signIn(page, administrator);
  for (const [path, ready] of [
    ['/dashboard/manage-orders', 'Address'],
    [`/dashboard/manage-users?q=${encodeURIComponent(person.email)}`, person.email],
    // Not Restock, which also begins an entry of the menu.
    ['/dashboard/manage-products', part.name],
    [`/dashboard/manage-products/${part._id}`, 'Nothing is changed.'],
    ['/dashboard/add-product', 'Choose a picture'],
  ] as const) {
    expect(await measureShift(path, ready), path).toBeLessThan(0.02);
  }
});

const isMarked = (page: Page) =>
  focused(page).evaluate((element) => {
    const looks = [element, element.parentElement]
      .filter((each) => each !== null)
      .map((each) => getComputedStyle(each));
    return looks.some(
      ({ outlineStyle, outlineWidth, boxShadow }) =>
        (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none',
    );
  });

/** On top of everything else. */
const isUncovered = (page: Page) =>
  focused(page).evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    const there = document.elementFromPoint(left + width / 2, top + height / 2);
    return there !== null && (element.contains(there) || there.contains(element));
  });

import { expect, type Page } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll } from './accessibility.ts';
import { payButton } from './card-form.ts';
import { holdRequests } from './network.ts';
import { acceptPayment, payForOrder, placeOrder, registerCustomerWithOrder } from './orders.ts';
import { administrator, register, signIn } from './people.ts';
import { addProduct } from './products.ts';
import { test } from './silent-test.ts';

/** What the keyboard is on. */
const focused = (page: Page) => page.locator(':focus');

test(
  'the bar leads to Home, Blogs, All Parts, MyPortfolio and Login, and marks the page one is on',
  { tag: '@phone' },
  async ({ page }, { project }) => {
    await page.goto('/blogs');
    if (project.name === 'phone') await page.getByRole('button', { name: 'Menu' }).click();
    const bar = page.getByRole('navigation', { name: 'Main' });
    await expect(bar.getByRole('link').filter({ visible: true })).toHaveText(
      project.name === 'phone'
        ? ['Home', 'Blogs', 'All Parts', 'MyPortfolio', 'Login']
        : ['Home', 'Blogs', 'All Parts', 'MyPortfolio'],
    );
    await expect(bar.getByRole('link', { name: 'Blogs' })).toHaveAttribute('aria-current', 'page');
    for (const [text, path] of [
      ['Home', '/'],
      ['All Parts', '/all-products'],
      ['MyPortfolio', '/portfolio'],
    ] as const) {
      await expect(bar.getByRole('link', { name: text })).toHaveAttribute('href', path);
    }
    await expectAccessible(page);
    await page.getByRole('banner').getByRole('link', { name: 'Login' }).click();
    await expect(page).toHaveURL('/login');
  },
);

test('the footer of every page has the address, the quick links and the social list', {
  tag: '@phone',
}, async ({ page }) => {
  for (const path of ['/', '/blogs', '/portfolio', '/all-products', '/login', '/register', '/nowhere']) {
    await page.goto(path);
    const footer = page.getByRole('contentinfo');
    await expect(footer).toContainText('48 Foundry Lane');
    await expect(footer.getByRole('navigation', { name: 'Quick links' }).getByRole('link')).toHaveText([
      'Home',
      'Blogs',
      'All Products',
    ]);
    await expect(footer.getByRole('navigation', { name: 'Social' }).getByRole('link')).toHaveText([
      'Facebook',
      'Instagram',
      'Twitter',
    ]);
  }
});

test('the keyboard reaches the content in one step and sees where it is', async ({ page }) => {
  await page.goto('/all-products');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeInViewport();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  // Kinds come first where there is room for them.
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

test('a part is ordered with the keyboard alone', async ({ page, request }) => {
  const part = await addProduct(request);
  await signIn(page, await register(request), `/all-products?q=${encodeURIComponent(part.name)}`);
  await page.getByRole('link', { name: 'Order Now' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: part.name })).toBeFocused();
  await tabTo(page, 'Address');
  await page.keyboard.type('12 Oxford Street, Osu');
  await tabTo(page, 'phone');
  await page.keyboard.type('233302771204');
  await tabTo(page, 'Purchase Quantity');
  await page.keyboard.press('Control+A');
  await page.keyboard.type('75');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Order placed successfully')).toBeVisible();
  await expect(page.getByRole('article')).toContainText('Quantity24,725');
});

test('a message is announced, closes after five seconds, and stays while the pointer is on it', {
  tag: '@phone',
}, async ({ page, request }) => {
  await page.clock.install();
  await signIn(page, await register(request), '/dashboard/my-profile');
  await page.getByLabel('Education').fill('Diploma in Electronics');
  await page.getByRole('button', { name: 'Update profile' }).click();
  const message = page.getByRole('status').getByText('profile updated successfully');
  await expect(message).toBeVisible();
  // It covers no more of the page than it needs.
  const { height = Infinity } = (await page.getByRole('region', { name: 'Messages' }).boundingBox()) ?? {};
  expect(height).toBeLessThan(120);
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 100));
  await message.hover();
  await page.clock.runFor(20_000);
  await expect(message).toBeVisible();
  await page.mouse.move(5, 600);
  await page.clock.runFor(3500);
  await expect(message).toBeVisible();
  await page.clock.runFor(1500);
  await expect(message).toHaveCount(0);
});

test('who asked for less motion gets none', async ({ page, request }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await signIn(page, await register(request), '/dashboard/my-profile');
  await page.getByRole('button', { name: 'Update profile' }).click();
  await expect(page.getByText('profile updated successfully')).toBeVisible();
  // What is shortened to nothing may be there for a frame.
  const seen = await page.evaluate(
    () =>
      document.getAnimations().filter(({ effect }) => Number(effect?.getComputedTiming().activeDuration) > 1)
        .length,
  );
  expect(seen).toBe(0);
});

for (const [width, what] of [
  [320, 'a window of 320 px'],
  [720, 'a window of 1440 px at 200 % zoom'],
  [820, 'a tablet'],
  [1100, 'a small laptop'],
] as const) {
  test(`nothing scrolls sideways in ${what}`, async ({ page, request }) => {
    // All pages of all roles.
    test.slow();
    await page.setViewportSize({ width, height: 640 });
    for (const path of ['/', '/blogs', '/portfolio', '/all-products', '/login', '/register', '/nowhere']) {
      await page.goto(path);
      await expectNoSidewaysScroll(page);
    }
    const { person, part, order } = await registerCustomerWithOrder(request);
    const paid = await placeOrder(request, person, part);
    await payForOrder(request, paid);
    await acceptPayment(request, paid);
    await signIn(page, person, `/purchase/${part._id}`);
    await expect(page.getByRole('button', { name: 'Purchase' })).toBeVisible();
    await expectNoSidewaysScroll(page);
    await page.goto(`/dashboard/payment/${order.id}`);
    await expect(payButton(page)).toBeEnabled();
    await expectNoSidewaysScroll(page);
    for (const child of ['my-profile', 'my-orders', 'my-reviews']) {
      await page.goto(`/dashboard/${child}`);
      await expect(page.getByRole('main').getByRole('button').last()).toBeVisible();
      await expectNoSidewaysScroll(page);
    }
    await signIn(page, administrator);
    for (const child of [
      'my-profile',
      'manage-orders',
      'manage-users',
      'add-product',
      'manage-products',
      `manage-products/${part._id}`,
      `manage-products/${part._id}/stock`,
    ]) {
      await page.goto(`/dashboard/${child}`);
      await expect(page.getByRole('main').getByRole('button').last()).toBeVisible();
      await expectNoSidewaysScroll(page);
    }
    const { email } = person;
    for (const [child, ready] of [
      ['overview', 'Orders by status'],
      ['activity', 'Export CSV'],
      [`customers/${encodeURIComponent(email)}`, 'With us since'],
      [`order/${order.id}`, 'Deliver to'],
    ] as const) {
      await page.goto(`/dashboard/${child}`);
      await expect(page.getByRole('main').getByText(ready).first()).toBeVisible();
      await expectNoSidewaysScroll(page);
    }
  });
}

test('nothing scrolls sideways in a window of 320 px while a page waits for what it shows', async ({
  page,
}) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await signIn(page, administrator);
  for (const [path, address, wait] of [
    ['/dashboard/my-profile', '**/identity/list-sessions', 'Loading your sessions…'],
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

test('nothing jumps while a page is loading and when it is there', { tag: '@phone' }, async ({
  page,
  request,
}) => {
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
    // Not Restock, which begins an entry of the menu, too.
    ['/dashboard/manage-products', part.name],
    [`/dashboard/manage-products/${part._id}`, 'Nothing is changed.'],
    ['/dashboard/add-product', 'Choose a picture'],
  ] as const) {
    expect(await measureShift(path, ready), path).toBeLessThan(0.02);
  }
});

/** Tabs until the field of that label has the focus; it must come within twenty steps. */
async function tabTo(page: Page, label: string): Promise<void> {
  const field = page.getByLabel(label, { exact: true });
  for (let steps = 0; steps < 20; steps += 1) {
    await page.keyboard.press('Tab');
    if (await field.evaluate((element) => element === document.activeElement)) return;
  }
  await expect(field).toBeFocused();
}

/** Whether what has the focus shows it by a ring or an outline of its own. */
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

/** Whether what has the focus lies over everything else where it is. */
const isUncovered = (page: Page) =>
  focused(page).evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    const there = document.elementFromPoint(left + width / 2, top + height / 2);
    return there !== null && (element.contains(there) || there.contains(element));
  });

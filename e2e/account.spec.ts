import { expect, type Locator } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll } from './accessibility.ts';
import { answerRequests, holdRequests, refuseRequest } from './network.ts';
import { cancelOrder, payForOrder, placeOrder, registerCustomerWithOrder } from './orders.ts';
import { authorize, expireSession, getAccessToken, register, signIn, submitLogin } from './people.ts';
import { addProduct, readStock } from './products.ts';
import { test } from './recorded-test.ts';
import { findRow } from './rows.ts';

test('an unpaid order can be cancelled after a question, and its stock goes back', { tag: '@phone' }, async ({
  page,
  request,
}) => {
  const person = await register(request);
  const part = await addProduct(request);
  await placeOrder(request, person, part, 1000);
  await signIn(page, person, '/dashboard/my-orders');
  const cancel = page.getByRole('button', { name: `Cancel order of ${part.name}` });
  await cancel.click();
  const question = page.getByRole('dialog', { name: 'Cancel this order?' });
  await expect(question).toContainText('1,000 pieces, $64,500.00');
  await expect(question.getByRole('button', { name: 'Keep order' })).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(question).toHaveCount(0);
  await expect(cancel).toBeFocused();
  // The second press falls on the question, which is neither closed nor answered by it.
  await cancel.dblclick();
  await question.getByRole('button', { name: 'Cancel order' }).click();
  await expect(page.getByText('Order Cancel successfully..!')).toBeVisible();
  await expect(page.getByText('No orders yet')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  expect(await readStock(request, part._id)).toBe(part.quantity);
});

test('an order that was paid for elsewhere cannot be cancelled: a notice stands in its place', async ({
  page,
  request,
}) => {
  const { person, part, order } = await registerCustomerWithOrder(request);
  await signIn(page, person, '/dashboard/my-orders');
  await expect(findRow(page, part.name)).toContainText('unpaid');
  await payForOrder(request, order);
  await page.getByRole('button', { name: `Cancel order of ${part.name}` }).click();
  await page.getByRole('button', { name: 'Cancel order', exact: true }).click();
  await expect(page.getByRole('alert')).toContainText('is paid for meanwhile and cannot be cancelled');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Understood' }).click();
  await expect(findRow(page, part.name)).toContainText('pending');
});

test('an order that was cancelled elsewhere is gone, and a notice in its place says so', async ({
  page,
  request,
}) => {
  const { person, part, order } = await registerCustomerWithOrder(request);
  await signIn(page, person, '/dashboard/my-orders');
  await expect(findRow(page, part.name)).toContainText('unpaid');
  // A list that is read again in the background would take the row away before the press.
  const release = await holdRequests(page, '**/order?*');
  await cancelOrder(request, order);
  await page.getByRole('button', { name: `Cancel order of ${part.name}` }).click();
  await page.getByRole('button', { name: 'Cancel order', exact: true }).click();
  release();
  await expect(page.getByRole('alert')).toContainText('This is not there any more.');
  await page.getByRole('button', { name: 'Understood' }).click();
  await expect(page.getByText('No orders yet')).toBeVisible();
});

test('My Orders is loaded, empty, failed and offline in its own words', async ({
  page,
  context,
  request,
}) => {
  const person = await register(request);
  await signIn(page, person, '/dashboard/my-orders');
  await expect(page.getByText('No orders yet')).toBeVisible();
  await expect(page.getByRole('link', { name: 'See All Parts' })).toHaveAttribute('href', '/all-products');
  await expectAccessible(page);
  const part = await addProduct(request);
  await placeOrder(request, person, part);
  const release = await holdRequests(page, '**/order?*');
  await page.reload();
  await expect(page.getByText('Loading…')).toBeAttached();
  await expectAccessible(page);
  release();
  await expect(findRow(page, part.name)).toBeVisible();
  await page.unroute('**/order?*');
  await page.route('**/order?*', (route) => route.abort());
  await page.reload();
  await expect(page.getByText('Your orders could not be loaded')).toBeVisible({ timeout: 20_000 });
  await expectAccessible(page);
  await page.unroute('**/order?*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(findRow(page, part.name)).toBeVisible();
  await context.setOffline(true);
  await expect(page.getByText('You are offline.')).toBeVisible();
  await expect(page.getByRole('button', { name: `Pay for ${part.name}` })).toBeDisabled();
  await expect(page.getByRole('button', { name: `Cancel order of ${part.name}` })).toBeDisabled();
  await context.setOffline(false);
});

test('a further page that does not come says so, and the list stays', async ({ page, request }) => {
  const person = await register(request);
  const part = await addProduct(request);
  for (let placed = 0; placed < 25; placed += 1) await placeOrder(request, person, part);
  await signIn(page, person, '/dashboard/my-orders');
  await expect(page.getByText('24 of 25')).toBeVisible();
  const further = '**/order?*after=*';
  await answerRequests(page, further, {}, { status: 403 });
  await page.getByRole('button', { name: 'Load more' }).click();
  await expect(page.getByRole('alert')).toContainText('The rest was not loaded; try again.');
  await expect(findRow(page, part.name)).toHaveCount(24);
  await page.unroute(further);
  await page.getByRole('button', { name: 'Load more' }).click();
  await expect(page.getByText('25 of 25')).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('copy buttons and messages lie on no tool of My Orders', async ({ page, request }) => {
  const { person, order } = await registerCustomerWithOrder(request);
  await payForOrder(request, order);
  await signIn(page, person, '/dashboard/my-orders');
  const measure = async (locator: Locator) =>
    (await locator.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const again = page.getByRole('button', { name: /^Order again/ });
  for (const width of [1024, 1440, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    const copy = await measure(page.getByRole('button', { name: /^Copy transaction id/ }));
    expect(copy.x + copy.width).toBeLessThanOrEqual((await measure(again)).x);
  }
  await again.click();
  await expect(page.getByText('50 pieces added to the batch.')).toBeVisible();
  const messages = await measure(page.getByRole('region', { name: 'Messages' }));
  const search = await measure(page.getByRole('searchbox', { name: 'Search orders' }));
  expect(messages.y + messages.height).toBeLessThanOrEqual(search.y);
});

test('messages lie on no tool of My Orders on a tablet', async ({ page, request }) => {
  const { person, order } = await registerCustomerWithOrder(request);
  await payForOrder(request, order);
  await page.setViewportSize({ width: 768, height: 900 });
  await page.clock.install();
  await signIn(page, person, '/dashboard/my-orders');
  await page.getByRole('button', { name: /^Order again/ }).click();
  await expect(page.getByText('50 pieces added to the batch.')).toBeVisible();
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 100));
  for (const width of [640, 768, 1023]) {
    await page.setViewportSize({ width, height: 900 });
    const messages = page.getByRole('region', { name: 'Messages' });
    // The bar of the menu is as wide as the page, and its name stays free.
    const tools = ':is(header, main) :is(a, button, input, select):not([data-menu-bar] *)';
    const covered = await messages.evaluate((region, selector) => {
      const { top, bottom, left, right, height } = region.getBoundingClientRect();
      if (height === 0) return ['there is no message'];
      const isUnder = (box: DOMRect) =>
        box.width > 0 && box.top < bottom && box.bottom > top && box.left < right && box.right > left;
      return [...document.querySelectorAll(selector)]
        .filter((tool) => isUnder(tool.getBoundingClientRect()))
        .map((tool) => tool.textContent);
    }, tools);
    expect(covered, `${width} px`).toEqual([]);
  }
});

test('a name without a break keeps the buttons of its row within reach', { tag: '@phone' }, async ({
  page,
  request,
}) => {
  const person = await register(request);
  const part = await addProduct(request, { name: 'M'.repeat(120) });
  await placeOrder(request, person, part);
  await signIn(page, person, '/dashboard/my-orders');
  const cancel = page.getByRole('button', { name: /^Cancel order of/ });
  await expect(cancel).toBeVisible();
  await expectNoSidewaysScroll(page);
  await cancel.click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectNoSidewaysScroll(page);
  const data = { name: person.name, email: person.email, rating: 5, description: 'W'.repeat(1000) };
  const headers = authorize(await getAccessToken(request, person));
  expect((await request.post('/review', { headers, data })).status()).toBe(200);
  await page.goto('/');
  await expect(page.getByText('W'.repeat(1000))).toBeVisible();
  await expectNoSidewaysScroll(page);
});

test('without a connection a page that is not here yet does not open, and what was typed stays', async ({
  page,
  context,
  request,
}) => {
  await signIn(page, await register(request), '/dashboard/my-reviews');
  await page.getByLabel('Review', { exact: true }).fill('Consistent from batch to batch.');
  await context.setOffline(true);
  const blogs = page.getByRole('contentinfo').getByRole('link', { name: 'Blogs' });
  await blogs.click();
  await expect(page.getByText("You're offline. Try again when you're connected.")).toBeVisible();
  await expect(page).toHaveURL('/dashboard/my-reviews');
  await expect(page.getByLabel('Review', { exact: true })).toHaveValue('Consistent from batch to batch.');
  await context.setOffline(false);
  await blogs.click();
  await expect(page.getByRole('heading', { level: 1, name: 'Blogs' })).toBeVisible();
});

test('more than 24 orders come page by page', async ({ page, request }) => {
  const person = await register(request);
  const part = await addProduct(request);
  for (let placed = 0; placed < 26; placed += 1) await placeOrder(request, person, part);
  await signIn(page, person, '/dashboard/my-orders');
  await expect(page.getByText('24 of 26')).toBeVisible();
  await page.getByRole('button', { name: 'Load more' }).click();
  await expect(page.getByText('26 of 26')).toBeVisible();
  await expect(findRow(page, part.name)).toHaveCount(26);
  await expect(page.getByText('26 of 26')).toBeFocused();
  await expect(page.getByRole('button', { name: 'Load more' })).toHaveCount(0);
  // Far down, one goes on where one is.
  await page
    .getByRole('button', { name: /^Cancel order of/ })
    .nth(20)
    .click();
  const before = await page.evaluate(() => scrollY);
  await page.getByRole('button', { name: 'Cancel order', exact: true }).click();
  await expect(findRow(page, part.name)).toHaveCount(25);
  expect(await page.evaluate(() => scrollY)).toBeGreaterThan(before / 2);
});

test(
  "the dashboard's menu of a customer has My Profile, My Orders and Add A Review",
  { tag: '@phone' },
  async ({ page, request }, { project }) => {
    await signIn(page, await register(request));
    await page.goto('/dashboard');
    await expect(page).toHaveURL('/dashboard/my-profile');
    const opener = page.getByRole('button', { name: 'Dashboard menu, current page: My Profile' });
    if (project.name === 'phone') {
      await opener.click();
      await expect(page.getByRole('dialog', { name: 'Dashboard menu' })).toBeVisible();
      await expectAccessible(page);
    }
    const menu = page.getByRole('navigation', { name: 'Dashboard' });
    await expect(menu.getByRole('link')).toHaveText(['My Profile', 'My Orders', 'Add A Review', 'Batch']);
    await expect(menu.getByRole('link', { name: 'My Profile' })).toHaveAttribute('aria-current', 'page');
    await menu.getByRole('link', { name: 'My Orders' }).click();
    await expect(page).toHaveURL('/dashboard/my-orders');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(page.getByRole('heading', { level: 1, name: 'My Orders' })).toBeFocused();
  },
);

test('a review is given with half stars, is required to have a text, and resets the form', {
  tag: '@phone',
}, async ({ page, request }) => {
  const person = await register(request);
  await signIn(page, person, '/dashboard/my-reviews');
  const rating = page.getByRole('radiogroup', { name: 'Rating' });
  await expect(rating.getByRole('radio')).toHaveCount(9);
  await expect(rating.getByRole('radio', { name: '5.0 of 5 stars' })).toBeChecked();
  await page.getByRole('button', { name: 'Submit review' }).click();
  await expect(page.getByText('Review is Required')).toBeVisible();
  await expect(page.getByLabel('Review', { exact: true })).toBeFocused();
  await rating.getByRole('radio', { name: '5.0 of 5 stars' }).focus();
  await page.keyboard.press('ArrowLeft');
  await expect(rating.getByRole('radio', { name: '4.5 of 5 stars' })).toBeChecked();
  const text = `Consistent from batch to batch, ${person.email}.`;
  await page.getByLabel('Review', { exact: true }).fill(text);
  await page.getByRole('button', { name: 'Submit review' }).click();
  await expect(page.getByText('Review submitted successfully.')).toBeVisible();
  await expect(page.getByLabel('Review', { exact: true })).toHaveValue('');
  await expect(rating.getByRole('radio', { name: '5.0 of 5 stars' })).toBeChecked();
  const [newest] = await (await request.get('/review?limit=100'))
    .json()
    .then((reviews) => reviews.filter((review: { description: string }) => review.description === text));
  expect(newest).toMatchObject({ name: person.name, rating: 4.5 });
});

test('a session that ends while a review is written leads to /login and back to what was written', async ({
  page,
  request,
}) => {
  const person = await register(request);
  await signIn(page, person, '/dashboard/my-reviews');
  const rating = page.getByRole('radiogroup', { name: 'Rating' });
  await rating.getByRole('radio', { name: '5.0 of 5 stars' }).focus();
  await page.keyboard.press('ArrowLeft');
  await page.getByLabel('Review', { exact: true }).fill('Consistent from batch to batch.');
  await expireSession(page);
  await page.getByRole('button', { name: 'Submit review' }).click();
  await expect(page).toHaveURL('/login?from=%2Fdashboard%2Fmy-reviews');
  await submitLogin(page, person);
  await expect(page.getByLabel('Review', { exact: true })).toHaveValue('Consistent from batch to batch.');
  await expect(rating.getByRole('radio', { name: '4.5 of 5 stars' })).toBeChecked();
});

test('a busy shop names the seconds to wait for a review, and the button counts them down', async ({
  page,
  request,
}) => {
  await signIn(page, await register(request), '/dashboard/my-reviews');
  await page.getByLabel('Review', { exact: true }).fill('Consistent from batch to batch.');
  await page.route(
    '**/review',
    (route) => refuseRequest(route, 429, 'too-many', { title: 'Too many requests', retryAfter: 2 }),
    { times: 1 },
  );
  await page.getByRole('button', { name: 'Submit review' }).click();
  await expect(page.getByRole('button', { name: /^Submit review in \d s$/ })).toBeVisible();
  await page.getByRole('button', { name: 'Submit review', exact: true }).click();
  await expect(page.getByText('Review submitted successfully.')).toBeVisible();
});

test('the profile is shown and updated, and a LinkedIn field that is no address is refused', async ({
  page,
  request,
}) => {
  const person = await register(request);
  await signIn(page, person, '/dashboard/my-profile');
  const details = page.getByRole('region', { name: 'Your details' });
  await expect(details).toContainText(person.name);
  await expect(details).toContainText(person.email);
  await expect(details.getByText('Not given yet')).toHaveCount(4);
  await expect(page.getByLabel('LinkedIn')).toHaveAttribute('type', 'url');
  await page.getByLabel('Education').fill('Diploma in Electronics');
  await page.getByLabel('LinkedIn').fill('amara');
  await page.getByRole('button', { name: 'Update profile' }).click();
  await expect(page.getByText('Must be a link that begins with http:// or https://')).toBeVisible();
  await expect(page.getByLabel('LinkedIn')).toBeFocused();
  await page.getByLabel('LinkedIn').fill('https://www.linkedin.com/in/amara-okafor');
  await page.getByRole('button', { name: 'Update profile' }).click();
  await expect(page.getByText('profile updated successfully')).toBeVisible();
  await expect(details).toContainText('Diploma in Electronics');
  await expect(details.getByRole('link', { name: 'linkedin.com/in/amara-okafor' })).toBeVisible();
});

test("without a session the profile form says 'No user is logged in' and what was typed stays", async ({
  page,
  request,
}) => {
  const person = await register(request);
  await signIn(page, person, '/dashboard/my-profile');
  await page.getByLabel('Education').fill('Diploma in Electronics');
  // The last that the page asks for by itself, which would find the session gone before the press does.
  await expect(page.getByText('This browser')).toBeVisible();
  await expireSession(page);
  await page.getByRole('button', { name: 'Update profile' }).click();
  await expect(page.getByText('No user is logged in', { exact: true })).toBeVisible();
  await expect(page).toHaveURL('/dashboard/my-profile');
  await expect(page.getByText('No user is logged in', { exact: true })).toBeInViewport();
  await expect(page.getByLabel('Education')).toHaveValue('Diploma in Electronics');
  // A field half under the bar counts as too small a target.
  await page.evaluate(() => scrollTo(0, 0));
  await expectAccessible(page);
  await page.getByRole('alert').getByRole('link', { name: 'Login' }).click();
  await submitLogin(page, person);
  await expect(page).toHaveURL('/dashboard/my-profile');
  await expect(page.getByLabel('Education')).toHaveValue('Diploma in Electronics');
});

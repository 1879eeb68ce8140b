import { expect, type Locator } from '@playwright/test';
import { payForOrder, placeOrder, registerCustomerWithOrder } from './orders.ts';
import { getCustomer, register, signIn } from './people.ts';
import { addProduct, readStock } from './products.ts';
import { findRow, pressInMenu } from './rows.ts';
import { test } from './silent-test.ts';

test('a customer cancels an unpaid order, and its stock returns', async ({ page, request }) => {
  const person = await register(request);
  const part = await addProduct(request);
  await placeOrder(request, person, part, 1000);
  await signIn(page, person, '/dashboard/my-orders');
  const row = findRow(page, part.name);
  const cancel = row.getByRole('button', { name: /^Cancel order of/ });
  await pressInMenu(row, /^Cancel order of/);
  const question = page.getByRole('dialog', { name: 'Cancel this order?' });
  await expect(question).toContainText('1,000 pieces, $64,500.00');
  await expect(question.getByRole('button', { name: 'Keep order' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(question).toHaveCount(0);
  const menu = row.getByRole('button', { name: /^More for/ });
  await expect(menu).toBeFocused();
  await menu.click();
  // The second press hits the question, and must not answer it.
  await cancel.dblclick();
  await question.getByRole('button', { name: 'Cancel order' }).click();
  await expect(page.getByText('Order Cancel successfully..!')).toBeVisible();
  await expect(page.getByText('No orders yet')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  expect(await readStock(request, part._id)).toBe(part.quantity);
});

test('copy buttons and messages cover no tool of My Orders', async ({ page, request }) => {
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
  const region = page.getByRole('region', { name: 'Messages' });
  // A message stays under the pointer.
  await region.hover();
  const messages = await measure(region);
  const search = await measure(page.getByRole('searchbox', { name: 'Search orders' }));
  expect(messages.y + messages.height).toBeLessThanOrEqual(search.y);
  for (const width of [640, 768, 1023]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await region.evaluate(listCovered), `${width} px`).toEqual([]);
  }
});

/** @returns covered tools; the bar is as wide as the page, so its name does not count */
function listCovered(region: Element): (string | null)[] {
  const { top, bottom, left, right, height } = region.getBoundingClientRect();
  if (height === 0) return ['there is no message'];
  const isUnder = (box: DOMRect) =>
    box.width > 0 && box.top < bottom && box.bottom > top && box.left < right && box.right > left;
  return [
    ...document.querySelectorAll(':is(header, main) :is(a, button, input, select):not([data-menu-bar] *)'),
  ]
    .filter((tool) => isUnder(tool.getBoundingClientRect()))
    .map((tool) => tool.textContent);
}

test('no page opens offline, and typed text stays', async ({ page, context, request }) => {
  await signIn(page, await getCustomer(request), '/dashboard/my-reviews');
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

test('a list continues below its 24th order and keeps its position', { tag: '@full' }, async ({
  page,
  request,
}) => {
  const person = await register(request);
  const part = await addProduct(request);
  for (let placed = 0; placed < 52; placed += 1) await placeOrder(request, person, part);
  await signIn(page, person, '/dashboard/my-orders');
  await expect(page.getByText('50 of 52')).toBeVisible();
  await page.getByRole('button', { name: 'Load more' }).click();
  await expect(page.getByText('52 of 52')).toBeVisible();
  await expect(findRow(page, part.name)).toHaveCount(52);
  await expect(page.getByText('52 of 52')).toBeFocused();
  await expect(page.getByRole('button', { name: 'Load more' })).toHaveCount(0);
  // Loading more keeps the scroll position.
  await pressInMenu(findRow(page, part.name).nth(40), /^Cancel order of/);
  const before = await page.evaluate(() => scrollY);
  await page.getByRole('button', { name: 'Cancel order', exact: true }).click();
  await expect(findRow(page, part.name)).toHaveCount(51);
  expect(await page.evaluate(() => scrollY)).toBeGreaterThan(before / 2);
});

test('a customer updates the profile and gives a review without motion', async ({ page, request }) => {
  const person = await register(request);
  await signIn(page, person, '/dashboard/my-profile');
  const details = page.getByRole('region', { name: 'Your details' });
  await expect(details).toContainText(person.email);
  await expect(page.getByLabel('LinkedIn')).toHaveAttribute('type', 'url');
  await page.getByLabel('Education').fill('Diploma in Electronics');
  await page.getByRole('button', { name: 'Update profile' }).click();
  await expect(page.getByText('profile updated successfully')).toBeVisible();
  // A transition shortened to zero may exist for a frame.
  const moving = await page.evaluate(
    () =>
      document.getAnimations().filter(({ effect }) => Number(effect?.getComputedTiming().activeDuration) > 1)
        .length,
  );
  expect(moving).toBe(0);
  await expect(details).toContainText('Diploma in Electronics');

  await page.goto('/dashboard/my-reviews');
  const rating = page.getByRole('radiogroup', { name: 'Rating' });
  await rating.getByRole('radio', { name: '5.0 of 5 stars' }).focus();
  await page.keyboard.press('ArrowLeft');
  await expect(rating.getByRole('radio', { name: '4.5 of 5 stars' })).toBeChecked();
  const text = `Consistent from batch to batch, ${person.email}.`;
  await page.getByLabel('Review', { exact: true }).fill(text);
  await page.getByRole('button', { name: 'Submit review' }).click();
  await expect(page.getByText('Review submitted successfully.')).toBeVisible();
  const reviews = await (await request.get('/review?limit=100')).json();
  expect(reviews).toContainEqual(
    expect.objectContaining({ name: person.name, rating: 4.5, description: text }),
  );
});

test('a message closes after five seconds, but not under the pointer', async ({ page, request }) => {
  await page.clock.install();
  await signIn(page, await register(request), '/dashboard/my-profile');
  const update = page.getByRole('button', { name: 'Update profile' });
  await expect(update).toBeVisible();
  // A minute ahead: a slow machine must not be past it.
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 60_000));
  await update.click();
  const message = page.getByRole('status').getByText('profile updated successfully');
  await expect(async () => {
    await page.clock.runFor(10);
    expect(await message.isVisible()).toBe(true);
  }).toPass();
  await message.hover();
  await page.clock.runFor(20_000);
  await expect(message).toBeVisible();
  await page.mouse.move(5, 600);
  await page.clock.runFor(3500);
  await expect(message).toBeVisible();
  await page.clock.runFor(1500);
  await expect(message).toHaveCount(0);
});

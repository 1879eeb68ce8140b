import { expect, type Page } from '@playwright/test';
import { authorize, getAccessToken, register, signIn } from './people.ts';
import { addProduct } from './products.ts';
import { test } from './silent-test.ts';

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

/** As people write a number; what is left out is told below the field until it is left, so the page then moves up. */
async function typePhone(page: Page): Promise<void> {
  await page.getByLabel('Address').fill('12 Oxford Street, Osu\nAccra, Ghana');
  await page.getByLabel('phone').pressSequentially('+44 113 555 0100');
  await expect(page.getByText('Digits are enough')).toBeVisible();
}

test('the first tap on Purchase places the order', { tag: '@phone' }, async ({ page, request }) => {
  const part = await addProduct(request);
  await signIn(page, await register(page.request), `/purchase/${part._id}`);
  await typePhone(page);
  await page.getByRole('button', { name: 'Purchase' }).tap();
  await expect(page.getByText('Order placed successfully')).toBeVisible();
});

test('the first tap on Place places the batch', { tag: '@phone' }, async ({ page, request }) => {
  const part = await addProduct(request);
  const person = await register(page.request);
  const headers = authorize(await getAccessToken(request, person));
  await request.put(`/batch/${part._id}`, { headers, data: { quantity: part.minimumOrder } });
  await signIn(page, person, '/dashboard/batch');
  await typePhone(page);
  await page.getByRole('button', { name: /^Place \d/ }).tap();
  await expect(page.getByRole('heading', { level: 1, name: '1 order placed' })).toBeVisible();
});

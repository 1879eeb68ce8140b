import { expect } from '@playwright/test';
import { expectFit } from './accessibility.ts';
import { payForOrders } from './orders.ts';
import { administrator, callAs, register, signIn } from './people.ts';
import { addProduct } from './products.ts';
import { test } from './silent-test.ts';

test('a purchase is paid, accepted and sent from its page', async ({ page, request, isMobile }) => {
  const person = await register(request);
  const parts = [await addProduct(request), await addProduct(request)];
  const lines = parts.map(({ _id, minimumOrder, price }) => ({
    productId: _id,
    quantity: minimumOrder,
    totalPrice: minimumOrder * price,
  }));
  const data = { email: person.email, address: '12 Oxford Street, Osu', phone: '233302771204', lines };
  const { batch, insertedIds } = await callAs(request, person, 'POST', '/order/batch', data);
  await signIn(page, person, `/dashboard/batch/${batch}`);
  await page.getByRole('link', { name: 'Open the purchase' }).click();
  await expect(page.getByRole('heading', { level: 1, name: /^Purchase \d+/ })).toBeVisible();
  const address = page.url();
  await expect(page.getByRole('link', { name: /^Pay 2 orders/ })).toBeVisible();
  const [one = '', two = '']: string[] = insertedIds;
  await payForOrders(request, [
    { id: one, person },
    { id: two, person },
  ]);
  await page.reload();
  await expect(page.getByRole('button', { name: 'Order again' })).toBeVisible();
  await page.context().clearCookies();
  await signIn(page, administrator, new URL(address).pathname);
  await page.getByRole('button', { name: 'Accept 2 payments' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Accept 2 payments' }).click();
  await page.getByRole('button', { name: 'Add parcel' }).click();
  const dialog = page.getByRole('dialog', { name: 'One parcel for 2 orders' });
  await dialog.getByLabel('Carrier').fill('DHL');
  await dialog.getByLabel('Parcel number').fill('00340434161094022115');
  await dialog.getByRole('button', { name: 'Add parcel' }).click();
  await expect(page.getByRole('region', { name: 'Parcels' }).getByText('2 lines')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Progress' }).getByText('Sent')).toBeVisible();
  if (!isMobile) await expectFit(page);
});

import { answerRequests, holdRequests } from '../network.ts';
import { signIn } from '../people.ts';
import { fillDelivery } from '../purchase.ts';
import { findProduct, registerNamed, test } from './screen.ts';

test('pictures ordering a part', async ({ page, request, take }) => {
  const part = await findProduct(request, 'OLED display assembly 6.1 inch');
  const address = `/purchase/${part._id}`;
  const purchase = page.getByRole('button', { name: 'Purchase', exact: true });
  const quantity = page.getByLabel('Purchase Quantity');
  await signIn(page, await registerNamed(request, 'Amara Okafor'), address);

  await quantity.fill('120');
  await purchase.click();
  await page.getByText('phone is Required').waitFor();
  await take('purchase-field-errors');
  await fillDelivery(page);
  await take('purchase');
  await quantity.fill(String(part.minimumOrder - 1));
  await take('purchase-below-minimum');
  await quantity.fill(String(part.quantity + 1));
  await take('purchase-above-maximum');

  await quantity.fill('120');
  await answerRequests(
    page,
    '**/order',
    {
      type: 'urn:parts-forge:problem:above-stock',
      errors: [{ path: 'quantity', message: 'maximum order range 100' }],
      quantity: 100,
    },
    { method: 'POST', status: 409 },
  );
  await purchase.click();
  await page.getByRole('alert').waitFor();
  await take('purchase-failed');
  await page.unroute('**/order');

  await page.goto(address);
  await fillDelivery(page);
  await quantity.fill('120');
  const release = await holdRequests(page, '**/order', 'POST');
  await purchase.click();
  await page.getByRole('button', { name: 'Placing order…' }).waitFor();
  await take('purchase-busy');
  release();
  await page.getByText('Order placed successfully').waitFor();
  await take('purchase-success');
});

test('pictures a part around its price break, and falling stock', async ({ page, request, take }) => {
  const part = await findProduct(request, 'OLED display assembly 6.1 inch');
  const address = `/purchase/${part._id}?quantity=475`;
  await signIn(page, await registerNamed(request, 'Amara Okafor'), address);
  await page.getByText('cost $30,600.00').waitFor();
  await take('purchase-breaks');
  await page.getByLabel('Purchase Quantity').fill('600');
  await take('purchase-breaks-reached');
  await page.route('**/live?*', (route) =>
    route.fulfill({
      contentType: 'text/event-stream',
      body: `event: product\ndata: ${JSON.stringify({ ...part, quantity: 420 })}\n\n`,
    }),
  );
  await page.goto(address);
  await page.getByText('The stock changed').waitFor();
  await take('purchase-breaks-stock');
});

test('pictures a loading part and one out of stock', async ({ page, request, take }) => {
  const part = await findProduct(request, 'Aluminium mid frame');
  const read = `**/product/${part._id}`;
  await signIn(page, await registerNamed(request, 'Amara Okafor'));
  const release = await holdRequests(page, read);
  await page.goto(`/purchase/${part._id}`);
  await page.locator('.skeleton').first().waitFor();
  await take('purchase-loading');
  release();
  await answerRequests(page, read, { data: { ...part, quantity: 40 } });
  await page.goto(`/purchase/${part._id}`);
  await page.getByText('Out of stock').waitFor();
  await take('purchase-out-of-stock');
});

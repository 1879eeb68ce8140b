import { answer, hold } from '../calls.ts';
import { signIn } from '../people.ts';
import { partNamed, someone, test } from './screen.ts';

test('ordering a part', async ({ page, request, take }) => {
  const part = await partNamed(request, 'OLED display assembly 6.1 inch');
  const address = `/purchase/${part._id}`;
  const purchase = page.getByRole('button', { name: 'Purchase', exact: true });
  const quantity = page.getByLabel('Purchase Quantity');
  const fillDelivery = async () => {
    await page.getByLabel('Address').fill('12 Oxford Street, Osu\nAccra, Ghana');
    await page.getByLabel('phone').fill('233302771204');
  };
  await signIn(page, await someone(request, 'Amara Okafor'), address);

  await quantity.fill('120');
  await purchase.click();
  await page.getByText('phone is Required').waitFor();
  await take('purchase-field-errors');
  await fillDelivery();
  await take('purchase');
  await quantity.fill(String(part.minimumOrder - 1));
  await take('purchase-below-minimum');
  await quantity.fill(String(part.quantity + 1));
  await take('purchase-above-maximum');

  await quantity.fill('120');
  await answer(
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
  await fillDelivery();
  await quantity.fill('120');
  const arrive = await hold(page, '**/order', 'POST');
  await purchase.click();
  await page.getByRole('button', { name: 'Placing order…' }).waitFor();
  await take('purchase-busy');
  arrive();
  await page.getByText('Order placed successfully').waitFor();
  await take('purchase-success');
});

test('a part that is loading, and one that is out of stock', async ({ page, request, take }) => {
  const part = await partNamed(request, 'Aluminium mid frame');
  const read = `**/product/${part._id}`;
  await signIn(page, await someone(request, 'Amara Okafor'));
  const arrive = await hold(page, read);
  await page.goto(`/purchase/${part._id}`);
  await page.locator('.skeleton').first().waitFor();
  await take('purchase-loading');
  arrive();
  await answer(page, read, { data: { ...part, quantity: 40 } });
  await page.goto(`/purchase/${part._id}`);
  await page.getByText('Out of stock').waitFor();
  await take('purchase-out-of-stock');
});

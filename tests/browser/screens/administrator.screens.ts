import type { APIRequestContext, Page } from '@playwright/test';
import { answerRequests, holdRequests, refuseRequest } from '../network.ts';
import { acceptPayment, payForOrder, placeOrder } from '../orders.ts';
import { administrator, type Person, signIn } from '../people.ts';
import { findRow, pressInMenu } from '../rows.ts';
import { findProduct, registerNamed, test } from './screen.ts';

test('pictures all orders', async ({ page, request, take, isMobile }) => {
  const listAddress = '**/order?*';
  const amara = await registerNamed(request, 'Amara Okafor');
  const tomas = await registerNamed(request, 'Tomás Herrera', 'movilcentro.example');
  const greta = await registerNamed(request, 'Greta Solberg', 'nordphone.example');
  const li = await registerNamed(request, 'Li Wen', 'brightfix.example');
  const order = createOrderer(request);
  for (const placed of [
    await order(greta, 'Back glass, fjord', 50),
    await order(amara, 'battery 4,500', 400),
  ]) {
    await payForOrder(request, placed);
    await acceptPayment(request, placed);
  }
  await order(li, 'Rear camera module', 75);
  await payForOrder(request, await order(amara, 'USB-C charging port', 2000));
  await payForOrder(request, await order(tomas, 'Mainboard', 60));
  await order(amara, 'OLED display assembly 6.1', 120);

  await signIn(page, administrator);
  await showOnlyRows(page, listAddress, [amara, tomas, greta, li]);
  const release = await holdRequests(page, listAddress);
  await page.goto('/dashboard/manage-orders');
  await page.getByText('Loading…').waitFor({ state: 'attached' });
  await take('manage-orders-loading');
  release();
  await findRow(page, 'Mainboard').waitFor();
  await take('manage-orders');
  // Phones have no room for the button in a row.
  if (isMobile) return;
  const accept = page.getByRole('button', { name: /^accept payment/ });
  await accept.first().click();
  await page.getByText('Order Payment Accepted').waitFor();
  await take('manage-orders-accepted');
});

const createOrderer =
  (request: APIRequestContext) => async (customer: Person, part: string, quantity: number) =>
    placeOrder(request, customer, await findProduct(request, part), quantity);

/** Other pictures are taken concurrently. */
async function showOnlyRows(page: Page, address: string, people: readonly Person[]): Promise<void> {
  const emails = people.map(({ email }) => email);
  await page.route(address, async (route) => {
    const url = new URL(route.request().url());
    url.searchParams.set('limit', '100');
    const response = await route.fetch({ url: url.href });
    const list = await response.json();
    const rows = (list.data ?? list).filter(({ email }: { email: string }) => emails.includes(email));
    const { link: _, ...headers } = response.headers();
    headers['x-total-count'] = String(rows.length);
    await route.fulfill({ response, headers, json: list.data ? { data: rows } : rows });
  });
}

test('pictures all users', async ({ page, request, take }) => {
  const ines = await registerNamed(request, 'Ines Carvalho', 'partsforge.example');
  const greta = await registerNamed(request, 'Greta Solberg', 'nordphone.example');
  const people = [
    administrator,
    ines,
    greta,
    await registerNamed(request, 'Li Wen', 'brightfix.example'),
    await registerNamed(request, 'Tomás Herrera', 'movilcentro.example'),
    await registerNamed(request, 'Amara Okafor'),
  ];
  await showOnlyRows(page, '**/user?*', people);
  await signIn(page, administrator, '/dashboard/manage-users');
  const makeAdmin = page.getByRole('button', { name: `Make Admin: ${ines.name}` });
  await makeAdmin.waitFor();
  await take('manage-users');
  await pressInMenu(findRow(page, greta.name), `Delete user ${greta.name}`);
  await take('manage-users-delete', false);
  await page.getByRole('button', { name: 'Keep user' }).click();
  await makeAdmin.click();
  await take('manage-users-make-admin', false);
  await page.getByRole('button', { name: 'Make Admin', exact: true }).click();
  await page.getByText('Made Admin successfully..!').waitFor();
  await pressInMenu(findRow(page, greta.name), `Delete user ${greta.name}`);
  await page.getByRole('button', { name: 'Delete user', exact: true }).click();
  await page.getByText('User Removed successfully..!').waitFor();
  await take('manage-users-toasts', false);
  await page.goto('/dashboard/my-profile');
  await page.getByText('Update your profile').waitFor();
  await take('my-profile-admin');
});

test('pictures adding a product', async ({ page, take }) => {
  await signIn(page, administrator, '/dashboard/add-product');
  const add = page.getByRole('button', { name: 'Add Product', exact: true });
  const fill = async () => {
    await page.getByLabel('Name').fill('Ultra-wide camera module 12 MP');
    await page
      .getByLabel('Description')
      .fill(
        'Ultra-wide module with 120 degree field of view and flex connector. Aligned and focused on the line.',
      );
    await page.getByLabel('Price').fill('21.40');
    await page.getByLabel('Quantity').fill('8000');
    await page.getByLabel('Minimum Order').fill('50');
    await page
      .getByLabel('Image: choose a picture')
      .setInputFiles('api/assets/products/front-camera-12mp-1280.webp');
    await page.getByRole('img', { name: 'Preview of the chosen picture' }).waitFor();
  };
  await add.waitFor();
  await take('add-product-empty');
  await add.click();
  await page.getByText('Image is Required').waitFor();
  await take('add-product-errors');
  await fill();
  await take('add-product');
  // A real part would show in other pictures, and toasts do not wait for a real upload.
  await answerRequests(page, '**/product', {}, { method: 'POST', status: 500 });
  await answerRequests(page, '**/images/upload*', { data: { url: 'none' } }, { method: 'POST' });
  const release = await holdRequests(page, '**/images/upload*');
  await add.click();
  await page.getByText('Uploading…').waitFor();
  await take('add-product-busy');
  release();
  await page.getByText('something error happend').waitFor();
  await answerRequests(page, '**/product', { insertedId: 'none' }, { method: 'POST' });
  await add.click();
  await page.getByText('product uploaded successfully').waitFor();
  await take('add-product-toasts', false);
});

test('pictures managing products', async ({ page, request, take }) => {
  const part = await findProduct(request, 'USB-C charging port flex');
  await signIn(page, administrator, '/dashboard/manage-products');
  const row = findRow(page, part.name);
  await row.waitFor();
  await take('manage-products');
  await page.getByRole('button', { name: `Restock ${part.name}` }).click();
  await take('manage-products-restock', false);
  await page.getByRole('button', { name: 'Keep stock' }).click();
  await pressInMenu(row, `Delete ${part.name}`);
  await take('manage-products-delete', false);
  // Other pictures show the same list.
  await answerRequests(page, `**/product/${part._id}`, { deletedCount: 1 }, { method: 'DELETE' });
  await page.getByRole('button', { name: 'Delete product', exact: true }).click();
  await page.getByText('product deleted successfully').waitFor();
  await take('manage-products-deleted');
});

test('pictures editing a part, its stock and many parts', async ({ page, request, take }) => {
  const part = await findProduct(request, 'USB-C charging port flex');
  await signIn(page, administrator, `/dashboard/manage-products/${part._id}`);
  await page.getByText('Nothing is changed.').waitFor();
  await take('edit-part');
  await page.getByRole('textbox', { name: 'Price', exact: true }).fill('3.75');
  // Other pictures show the same part.
  await page.route(`**/product/${part._id}`, (route) =>
    route.request().method() === 'PATCH'
      ? refuseRequest(route, 412, 'version-changed', {
          current: { ...part, price: 3.9, fits: ['Norda 12'], version: 2 },
        })
      : route.fallback(),
  );
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Your changes are not saved yet.', { exact: false }).waitFor();
  await take('edit-part-conflict');
  await page.goto(`/dashboard/manage-products/${part._id}/stock`);
  await page.getByText('Sum of all movements since the part was added').waitFor();
  await take('stock-ledger');
  await page.getByRole('button', { name: 'Correct stock' }).click();
  await page.getByLabel('Counted pieces').fill('119900');
  await take('stock-correct', false);
  await page.goto('/dashboard/catalogue-file');
  await page.getByText('Choose a CSV file or workbook').waitFor();
  await take('catalogue-file-start');
  const { number } = part as typeof part & { number: string };
  await page.getByLabel('Choose a CSV file or workbook').setInputFiles({
    name: 'restock.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`number,add,price\n${number},500,3.75\nPF-B9999,500,\nPF-W1501,2k,6.30\n`),
  });
  await page.getByText('What will change').waitFor();
  await take('catalogue-file');
});

test('pictures connections', async ({ page, take }) => {
  await signIn(page, administrator, '/dashboard/connections');
  await page.getByRole('button', { name: 'New key' }).click();
  await page.getByLabel('Name of the program').fill('ERP nightly');
  await page.getByRole('checkbox', { name: 'stock:write' }).check();
  await page.getByRole('checkbox', { name: 'catalogue:write' }).check();
  await page.getByLabel('Ends (optional)').fill('2027-06-01');
  await take('connections-new', false);
  await page.getByRole('button', { name: 'Make key' }).click();
  await page.getByText('Copy it now.', { exact: false }).waitFor();
  await take('connections-key', false);
  await page.getByRole('button', { name: 'I have copied it' }).click();
  await take('connections');
});

test('pictures mail', async ({ page, request, take }) => {
  const greta = await registerNamed(request, 'Greta Solberg', 'nordphone.example');
  const part = await findProduct(request, 'Back glass, fjord');
  await placeOrder(request, greta, part, 50);
  await page.route('**/mail?*', async (route) => {
    const response = await route.fetch();
    const { data } = await response.json();
    const own = data.filter(({ to }: { to?: { email: string } }) => to?.email === greta.email);
    const { link: _, ...headers } = response.headers();
    headers['x-total-count'] = String(own.length);
    await route.fulfill({ response, headers, json: { data: own } });
  });
  await signIn(page, administrator, '/dashboard/mail');
  const placed = page.getByRole('link', { name: 'Order placed' });
  await placed.waitFor();
  await take('mail');
  await placed.click();
  await page.locator('iframe').contentFrame().getByText('Your order is placed').waitFor();
  await take('mail-preview');
});

test('pictures the printed documents of orders', async ({ page, request, take }) => {
  const [tomas, greta] = [
    await registerNamed(request, 'Tomás Herrera', 'movilcentro.example'),
    await registerNamed(request, 'Greta Solberg', 'nordphone.example'),
  ];
  const order = createOrderer(request);
  const placed = [
    await order(tomas, 'USB-C charging port', 200),
    await order(greta, 'Back glass, fjord', 125),
    await order(greta, 'USB-C charging port', 300),
  ];
  for (const each of placed) await payForOrder(request, each);
  const ids = placed.map(({ id }) => id).join(',');
  await signIn(page, administrator, `/dashboard/pick-list?orders=${ids}`);
  await page.getByText('3 orders, 2 parts.').waitFor();
  await take('pick-list');
  await page
    .getByRole('link', { name: /^Packing slip of order/ })
    .first()
    .click();
  await page.getByRole('img', { name: 'QR code' }).waitFor();
  await take('packing-slip');
});

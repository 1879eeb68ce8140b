import { readConfig } from '@parts-forge/contract/people/identity';
import { openUpload } from '@parts-forge/contract/products/images';
import { addProduct } from '@parts-forge/contract/products/products';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { aConfig } from '#test/builders.ts';
import { createRefusal, startFakeShop } from '#test/fake-shop.ts';
import { type OpenPage, openPage } from '#test/open-page.tsx';

const shop = startFakeShop();
const upload = 'POST /images/upload';
const picture = new File(['a picture'], 'camera.png', { type: 'image/png' });

beforeEach(() => {
  // The test environment decodes no pictures.
  vi.stubGlobal('createImageBitmap', async ({ name }: File) => {
    if (name.startsWith('broken')) throw new Error('no picture');
    return { width: name.startsWith('wide') ? 16_384 : 512, height: 512, close: () => {} };
  });
});

const field = (name: string) => screen.getByLabelText(name);
const add = () => screen.getByRole('button', { name: 'Add Product' });
const fileInput = () => screen.getByLabelText('Image: choose a picture');

async function openAddProduct() {
  shop.signIn('admin');
  shop.answer(readConfig, aConfig());
  const page = await openPage('/dashboard/add-product');
  await screen.findByRole('button', { name: 'Add Product' });
  return page;
}

async function fillProduct({ user }: OpenPage) {
  await user.type(field('Name'), 'Camera module');
  await user.type(field('Description'), 'Wide.');
  await user.type(field('Price'), '21.40');
  await user.type(field('Quantity'), '8000');
  await user.type(field('Minimum Order'), '50');
  await user.upload(fileInput(), picture);
  await screen.findByText('camera.png');
}

async function submitProduct(page: OpenPage) {
  await fillProduct(page);
  await page.user.click(add());
}

/** The page, with a shop that accepts its picture. */
async function openWithUpload() {
  const page = await openAddProduct();
  acceptPicture();
  return page;
}

function acceptPicture() {
  shop.answer(openUpload, { url: '/images/upload', key: 'a key', expiresIn: 600 });
  shop.respond(upload, () => Response.json({ data: { url: '/images/stored-1280.webp' } }));
}

test("an empty form names every missing field in the specification's words", async () => {
  const { user } = await openAddProduct();
  await user.click(add());
  for (const message of [
    'Name is Required',
    'Description is Required',
    'Price is Required',
    'quantity is Required',
    'minimumOrder is Required',
    'Image is Required',
  ]) {
    expect(await screen.findByText(message)).toBeVisible();
  }
  expect(field('Name')).toHaveFocus();
});

test('the minimums are set on the inputs and named under them', async () => {
  await openAddProduct();
  expect(field('Price')).toHaveAttribute('min', '1');
  expect(field('Quantity')).toHaveAttribute('min', '1000');
  expect(field('Minimum Order')).toHaveAttribute('min', '50');
  for (const hint of ['At least 1', 'At least 1,000', 'At least 50', 'Cards show the first 90 characters.']) {
    expect(screen.getByText(hint)).toBeVisible();
  }
});

test('a field is checked on blur, then on every change', async () => {
  const { user } = await openAddProduct();
  await user.type(field('Quantity'), '999');
  expect(screen.queryByText('Must be at least 1000')).not.toBeInTheDocument();
  await user.tab();
  expect(await screen.findByText('Must be at least 1000')).toBeVisible();
  await user.type(field('Quantity'), '9');
  await waitFor(() => expect(screen.queryByText('Must be at least 1000')).not.toBeInTheDocument());
});

test('the focus goes to the picture if only that is missing', async () => {
  const page = await openAddProduct();
  await fillProduct(page);
  await page.user.click(screen.getByRole('button', { name: 'Remove' }));
  await waitFor(() => expect(fileInput()).toHaveFocus());
  await page.user.click(add());
  expect(await screen.findByText('Image is Required')).toBeVisible();
  expect(fileInput()).toHaveFocus();
});

test.each([
  ['notes.txt', 'text/plain', 5, /^This is not a picture that can be used\. It must be JPEG, PNG or WebP\.$/],
  [
    'large.png',
    'image/png',
    10 * 1024 * 1024 + 1,
    /^This picture is too large: 10 MB, and at most 10 MB can be used\.$/,
  ],
  ['wide.png', 'image/png', 5, /^This picture has too many pixels: 16384 × 512\. At most 16,383 on a side/],
  ['broken.png', 'image/png', 5, /^This file cannot be shown as a picture\. Choose another one\.$/],
])('%s is refused before upload', async (name, type, bytes, message) => {
  await openAddProduct();
  const file = new File([new Uint8Array(bytes)], name, { type });
  // The browser's own dialog would not offer all of them.
  fireEvent.drop(screen.getByRole('group', { name: 'Image' }), { dataTransfer: { files: [file] } });
  expect(await screen.findByText(message)).toBeVisible();
});

test('a picture whose name has no extension is accepted', async () => {
  await openAddProduct();
  const file = new File([new Uint8Array(5)], 'camera');
  fireEvent.drop(screen.getByRole('group', { name: 'Image' }), { dataTransfer: { files: [file] } });
  expect(await screen.findByRole('img', { name: 'Preview of the chosen picture' })).toBeVisible();
});

test('the chosen picture is shown at once with name, size and pixels', async () => {
  const page = await openAddProduct();
  await page.user.upload(fileInput(), picture);
  expect(await screen.findByRole('img', { name: 'Preview of the chosen picture' })).toBeVisible();
  expect(screen.getByText('camera.png')).toBeVisible();
  expect(screen.getByText(/512 × 512 px/)).toBeVisible();
  expect(screen.getByLabelText('Replace Image')).toBeInTheDocument();
});

test('the picture is sent before the product, and a toast reports success', async () => {
  const page = await openWithUpload();
  shop.answer(addProduct, { insertedId: 'new' });
  await submitProduct(page);
  expect(await screen.findByText('product uploaded successfully')).toBeVisible();
  const [sent] = shop.getRequests(upload);
  expect(sent?.query.get('key')).toBe('a key');
  expect((sent?.body as FormData | undefined)?.get('image')).toBeInstanceOf(File);
  expect(shop.getSentBody(addProduct)).toEqual({
    name: 'Camera module',
    description: 'Wide.',
    price: 21.4,
    quantity: 8000,
    minimumOrder: 50,
    image: '/images/stored-1280.webp',
  });
  await waitFor(() => expect(field('Name')).toHaveFocus());
  for (const name of ['Name', 'Description']) expect(field(name)).toHaveValue('');
  for (const name of ['Price', 'Quantity', 'Minimum Order']) expect(field(name)).toHaveValue('');
  expect(fileInput()).toBeInTheDocument();
});

test('an added product links to the page with its other fields', async () => {
  const page = await openWithUpload();
  shop.answer(addProduct, { insertedId: '01a1fe55-4eaf-7194-bacc-000000000001' });
  await fillProduct(page);
  expect(screen.queryByRole('link', { name: /^Set its part number/ })).toBeNull();
  await page.user.click(add());
  const link = await screen.findByRole('link', {
    name: 'Set its part number, kind, price breaks and models',
  });
  expect(link).toHaveAttribute('href', '/dashboard/manage-products/01a1fe55-4eaf-7194-bacc-000000000001');
  expect(link.closest('[aria-live]')).toHaveTextContent('Camera module is on sale.');
  expect(field('Name')).toHaveFocus();
});

test('the upload shows its progress and a busy button', async () => {
  const page = await openWithUpload();
  shop.answer(addProduct, { insertedId: 'new' });
  const release = shop.hold(upload);
  await fillProduct(page);
  await page.user.dblClick(add());
  expect(await screen.findByRole('progressbar', { name: 'Picture upload' })).toBeInTheDocument();
  expect(await screen.findByText('50% sent')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Uploading…' })).toHaveAttribute('aria-busy', 'true');
  release();
  expect(await screen.findByText('product uploaded successfully')).toBeVisible();
  expect(shop.getRequests(upload)).toHaveLength(1);
  expect(shop.getRequests(addProduct)).toHaveLength(1);
});

test('a refusal of the image host keeps the typed values', async () => {
  const page = await openWithUpload();
  shop.respond(upload, () => createRefusal('too-large', { detail: 'The picture must be at most 10 MB' }));
  await submitProduct(page);
  expect(await screen.findByText('something error happend')).toBeVisible();
  expect(screen.getByLabelText('Replace Image')).toHaveAccessibleDescription(
    'The picture must be at most 10 MB',
  );
  expect(screen.getByLabelText('Replace Image')).toHaveFocus();
  expect(field('Name')).toHaveValue('Camera module');
});

test("the shop's findings stand under their fields", async () => {
  const page = await openWithUpload();
  shop.refuse(addProduct, 'invalid', {
    errors: [{ path: 'price', message: 'Must be no more than 100,000' }],
  });
  await submitProduct(page);
  expect(await screen.findByText('Must be no more than 100,000')).toBeVisible();
  expect(field('Price')).toHaveFocus();
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
});

test("a failed product shows 'something error happend' and the reason", async () => {
  const page = await openWithUpload();
  shop.refuse(addProduct, 'internal', { requestId: '0198c2f4-2222' });
  await submitProduct(page);
  expect(await screen.findByText('something error happend')).toBeVisible();
  const alert = screen.getByRole('alert');
  expect(alert).toHaveTextContent('The product was not added. What you typed is still here; try again.');
  expect(alert).toHaveTextContent('Reference 0198c2f4-2222');
  expect(field('Name')).toHaveValue('Camera module');
});

test('without a response the page says the product may have been added', async () => {
  const page = await openWithUpload();
  shop.disconnect(addProduct);
  await submitProduct(page);
  expect(await screen.findByRole('alert')).toHaveTextContent(
    'No answer came: the product may have been added. Look in Manage Products before you try again.',
  );
});

test('a picture without a response means that nothing was added', async () => {
  const page = await openWithUpload();
  shop.disconnect(upload);
  await submitProduct(page);
  expect(await screen.findByRole('alert')).toHaveTextContent('The product was not added.');
});

test('an expired session leads to /login and back to the typed values', async () => {
  const page = await openAddProduct();
  shop.refuse(openUpload, 'sign-in-needed');
  await fillProduct(page);
  shop.identityUser = null;
  await page.user.click(add());
  await waitFor(() => expect(page.getAddress()).toBe('/login?from=%2Fdashboard%2Fadd-product'));
  expect(screen.queryByText('something error happend')).not.toBeInTheDocument();
  await openAddProduct();
  expect(field('Name')).toHaveValue('Camera module');
  expect(field('Price')).toHaveValue('21.4');
  // The draft cannot keep the file itself.
  expect(fileInput()).toBeInTheDocument();
});

test('the form waits for the picture rules and reports their failure', async () => {
  shop.signIn('admin');
  shop.refuse(readConfig, 'overloaded', { requestId: '0198c2f4-3333' });
  await openPage('/dashboard/add-product');
  const alert = await screen.findByRole('alert');
  expect(alert).toHaveTextContent('The form could not be loaded');
  expect(alert).toHaveTextContent('Reference 0198c2f4-3333');
});

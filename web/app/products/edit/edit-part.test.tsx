import { listActivity } from '@parts-forge/contract/events/trail';
import { readConfig } from '@parts-forge/contract/people/identity';
import { openUpload } from '@parts-forge/contract/products/images';
import { changeProduct } from '@parts-forge/contract/products/product-changes';
import { EDITED_FIELDS, fieldFacts } from '@parts-forge/contract/products/product-fields';
import { type Product, readProduct, readProductFacets } from '@parts-forge/contract/products/products';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { aConfig, aProduct } from '#test/builders.ts';
import { expectLink } from '#test/expect-link.ts';
import { startFakeShop } from '#test/fake-shop.ts';
import { openPage } from '#test/open-page.tsx';

const shop = startFakeShop();

beforeEach(() => {
  // The test environment decodes no pictures.
  vi.stubGlobal('createImageBitmap', async () => ({ width: 512, height: 512, close: () => {} }));
});

async function openEditPart(wanted: Partial<Product> = {}) {
  const product = aProduct({ number: 'PF-D6101', price: 64.5, version: 3, ...wanted });
  shop.signIn('admin');
  shop.answer(readConfig, aConfig());
  shop.answer(readProduct, { data: product });
  const fits = ['Norda 12', 'Ovo 7'].map((model) => ({ model, count: 1 }));
  shop.answer(readProductFacets, { kinds: [], fits });
  const page = await openPage(`/dashboard/manage-products/${product._id}`);
  await screen.findByRole('button', { name: 'Save changes' });
  return { ...page, product };
}
const save = () => screen.getByRole('button', { name: 'Save changes' });
const price = () => screen.getByLabelText('Price');
async function retype(user: UserEvent, field: HTMLElement, text: string) {
  await user.clear(field);
  await user.type(field, text);
}
const bar = (text: string) => screen.findByText(text);

test('a part is shown with all its fields except stock', async () => {
  const { product } = await openEditPart({ priceBreaks: [{ quantity: 500, price: 61.2 }] });
  expect(document.title).toBe('Edit part · Parts Forge');
  expect(screen.getByLabelText('Name')).toHaveValue('OLED display assembly');
  expect(screen.getByLabelText('Part number')).toHaveValue('PF-D6101');
  expect(price()).toHaveValue('64.50');
  expect(screen.getByLabelText('Break 1: price each')).toHaveValue('61.20');
  expect(screen.getByText('5.1 %')).toBeInTheDocument();
  expect(screen.getByText('24,800 in stock.')).toBeVisible();
  expect(screen.queryByLabelText('Quantity')).not.toBeInTheDocument();
  expect(screen.getByText('Nothing is changed.')).toBeVisible();
  expectLink('Stock ledger', `/dashboard/manage-products/${product._id}/stock`);
  expectLink('See in shop', `/products/${product._id}/oled-display-assembly`);
});

test('the form has a field or heading for each of the part', async () => {
  await openEditPart();
  const form = save().closest('form');
  const names = EDITED_FIELDS.map((field) => fieldFacts[field].label);
  expect(names.filter((name) => !form || within(form).queryAllByText(name).length === 0)).toEqual([]);
});

test('prices show two decimals unless they are being typed', async () => {
  const { user } = await openEditPart({ priceBreaks: [{ quantity: 500, price: 61.2 }] });
  const each = () => screen.getByLabelText('Break 1: price each');
  expect([price(), each()]).toEqual([
    expect.objectContaining({ value: '64.50' }),
    expect.objectContaining({ value: '61.20' }),
  ]);
  await retype(user, price(), '66.5');
  expect(price()).toHaveDisplayValue('66.5');
  await user.tab();
  expect(price()).toHaveDisplayValue('66.50');
  await retype(user, each(), '60.125');
  await user.tab();
  expect(each()).toHaveDisplayValue('60.125');
  expect(each()).toBeInvalid();
  await user.click(screen.getByRole('button', { name: 'Discard' }));
  expect(price()).toHaveDisplayValue('64.50');
  expect(each()).toHaveDisplayValue('61.20');
});

test('the field suggests known models that the part does not have', async () => {
  await openEditPart({ fits: ['Ovo 7'] });
  const { list } = screen.getByLabelText<HTMLInputElement>('Add a phone model');
  await waitFor(() => expect(Array.from(list?.options ?? [], ({ value }) => value)).toEqual(['Norda 12']));
});

test('promises are saved, and taken back by an empty field', async () => {
  const { user, product } = await openEditPart({ deliveryDays: 5, availableUntil: null });
  await user.clear(screen.getByLabelText('Delivery'));
  await user.type(screen.getByLabelText('Available until'), '2033');
  expect(await bar('2 changes: delivery, available until')).toBeVisible();
  shop.answer(changeProduct, { data: { ...product, deliveryDays: null, availableUntil: 2033, version: 4 } });
  await user.click(save());
  await waitFor(() =>
    expect(shop.getSentBody(changeProduct)).toEqual({ deliveryDays: null, availableUntil: 2033 }),
  );
});

test('a successor and an expected day are saved, and taken back', async () => {
  const { user, product } = await openEditPart({ replacedBy: 'PF-1', expectedAt: '2033-12-24' });
  expect(screen.getByLabelText('Expected')).toHaveValue('2033-12-24');
  await retype(user, screen.getByLabelText('Replaced by'), 'pf-d6102');
  await user.clear(screen.getByLabelText('Expected'));
  expect(await bar('2 changes: replaced by, expected')).toBeVisible();
  shop.answer(changeProduct, { data: { ...product, replacedBy: 'PF-D6102', expectedAt: null, version: 4 } });
  await user.click(save());
  await waitFor(() =>
    expect(shop.getSentBody(changeProduct)).toEqual({ replacedBy: 'PF-D6102', expectedAt: null }),
  );
});

test('only changed fields are saved, under the version that was read', async () => {
  const { user, product } = await openEditPart();
  await retype(user, price(), '66');
  await user.selectOptions(screen.getByLabelText('Kind'), 'Displays');
  await user.type(screen.getByLabelText('Add a phone model'), 'Norda 12{Enter}Ovo 7{Enter}');
  await user.click(screen.getByRole('button', { name: 'Add a row' }));
  await user.type(screen.getByLabelText('Row 1: name'), 'Panel');
  await user.type(screen.getByLabelText('Row 1: value'), 'OLED');
  await user.click(screen.getByRole('button', { name: 'Add a break' }));
  await user.type(screen.getByLabelText('Break 1: from pieces'), '500');
  await user.type(screen.getByLabelText('Break 1: price each'), '62.7');
  expect(await bar('5 changes: kind, price, price breaks, specification, fits')).toBeVisible();
  const changes = {
    kind: 'Displays' as const,
    price: 66,
    priceBreaks: [{ quantity: 500, price: 62.7 }],
    attributes: [{ name: 'Panel', value: 'OLED' }],
    fits: ['Norda 12', 'Ovo 7'],
  };
  shop.answer(changeProduct, { data: { ...product, ...changes, version: 4 } });
  await user.click(save());
  expect(await screen.findByText('OLED display assembly: saved')).toBeVisible();
  expect(await bar('Nothing is changed.')).toBeVisible();
  expect(shop.getSentBody(changeProduct)).toEqual(changes);
  expect(shop.getRequests(changeProduct)[0]?.headers.get('if-match')).toBe('"3"');
  // The next edit starts from the saved values.
  await user.click(screen.getByRole('button', { name: 'Remove Ovo 7' }));
  expect(await bar('1 change: fits')).toBeVisible();
  await user.click(save());
  await screen.findAllByText('OLED display assembly: saved');
  expect(shop.getRequests(changeProduct)[1]?.headers.get('if-match')).toBe('"4"');
});

test('a name removed from a full list leads to its field', async () => {
  const alsoKnownAs = Array.from({ length: 20 }, (_, index) => `FR-${index}`);
  const { user } = await openEditPart({ alsoKnownAs });
  await user.click(screen.getByRole('button', { name: 'Remove FR-3' }));
  await waitFor(() => expect(screen.getByLabelText('Also known as')).toHaveFocus());
});

test('an unchanged form sends nothing, and Discard restores the old values', async () => {
  const { user } = await openEditPart();
  await user.click(save());
  await retype(user, price(), '70');
  expect(await bar('1 change: price')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Discard' }));
  expect(price()).toHaveValue('64.50');
  expect(shop.getRequests(changeProduct)).toEqual([]);
});

test('a decimal comma is read as such', async () => {
  const { user } = await openEditPart();
  await retype(user, price(), '66,30');
  shop.answer(changeProduct, { data: { ...aProduct(), price: 66.3 } });
  await user.click(save());
  await screen.findByText(/: saved$/);
  expect(shop.getSentBody(changeProduct)).toEqual({ price: 66.3 });
});

test('a price that moves by more than half asks once more', async () => {
  const { user } = await openEditPart();
  await retype(user, price(), '6450');
  await user.click(save());
  const ask = async () =>
    within(await screen.findByRole('dialog', { name: '1 price moves by more than half' }));
  expect((await ask()).getByText('$64.50 → $6,450.00')).toBeVisible();
  await user.click((await ask()).getByRole('button', { name: 'Keep editing' }));
  expect(shop.getRequests(changeProduct)).toEqual([]);
  expect((price() as HTMLInputElement).value).toMatch(/^6450/);
  await user.click(save());
  shop.answer(changeProduct, { data: { ...aProduct(), price: 6450 } });
  await user.click((await ask()).getByRole('button', { name: 'This price is right' }));
  await screen.findByText(/: saved$/);
  expect(shop.getSentBody(changeProduct)).toEqual({ price: 6450 });
});

test('a price that may be thousands is asked about', async () => {
  const { user } = await openEditPart();
  await retype(user, price(), '1.750');
  await user.click(save());
  expect(await screen.findByText(/“1\.750” may be 1750 or 1\.750/)).toBeVisible();
  expect(shop.getRequests(changeProduct)).toEqual([]);
});

test("the shop's own rules check the fields, also across fields", async () => {
  const { user } = await openEditPart({ priceBreaks: [{ quantity: 500, price: 61.2 }] });
  await user.clear(screen.getByLabelText('Name'));
  await retype(user, price(), '61');
  await user.click(save());
  expect(await screen.findByText('Name is Required')).toBeVisible();
  await user.type(screen.getByLabelText('Name'), 'Display');
  await user.click(save());
  expect(await screen.findByText('Must be below 61')).toBeVisible();
  expect(screen.getByLabelText('Break 1: price each')).toHaveAccessibleDescription('Must be below 61');
  expect(shop.getRequests(changeProduct)).toEqual([]);
});

test("a conflicting edit keeps the other's values unless the user chooses otherwise", async () => {
  const { user, product } = await openEditPart();
  await retype(user, price(), '65');
  await retype(user, screen.getByLabelText('Name'), 'OLED display');
  const current = { ...product, price: 66, fits: ['Norda 12'], version: 4 };
  shop.answer(listActivity, {
    data: [
      {
        _id: 'an-entry',
        at: current.updatedAt,
        event: 'product-changed',
        by: { kind: 'admin', name: 'Ada Reyes' },
        requestId: 'x',
      },
    ],
  });
  shop.refuse(changeProduct, 'version-changed', { current });
  await user.click(save());
  const notice = within(
    await screen.findByRole('alert', { name: /^Changed by Ada Reyes ?, .+: fits, price$/ }),
  );
  expect(notice.getByText('Your changes are not saved yet.', { exact: false })).toBeVisible();
  expect(notice.getByText(/^Fits: none → Norda 12\. You had not changed it/)).toBeVisible();
  const choice = within(notice.getByRole('group', { name: 'Price' }));
  expect(choice.getByRole('radio', { name: 'Take theirs' })).toBeChecked();
  expect(price()).toHaveValue('66.00');
  expect(screen.getByRole('button', { name: 'Remove Norda 12' })).toBeVisible();
  expect(await bar('1 change: name')).toBeVisible();

  await user.click(choice.getByRole('radio', { name: 'Keep mine' }));
  expect(price()).toHaveValue('65.00');
  expect(await bar('2 changes: name, price')).toBeVisible();
  shop.answer(changeProduct, { data: { ...current, price: 65, name: 'OLED display', version: 5 } });
  await user.click(save());
  expect(await screen.findByText('OLED display: saved')).toBeVisible();
  const sent = shop.getRequests(changeProduct)[1];
  expect(sent?.body).toEqual({ name: 'OLED display', price: 65 });
  expect(sent?.headers.get('if-match')).toBe('"4"');
  expect(screen.queryByText(/^Changed by/)).not.toBeInTheDocument();
});

test("keeping all of the other's values sends nothing on save", async () => {
  const { user, product } = await openEditPart();
  await retype(user, price(), '65');
  shop.answer(listActivity, { data: [] });
  shop.refuse(changeProduct, 'version-changed', { current: { ...product, price: 66, version: 4 } });
  await user.click(save());
  await screen.findByRole('radio', { name: 'Take theirs' });
  await user.click(save());
  expect(await screen.findByText('OLED display assembly: theirs stays')).toBeVisible();
  expect(screen.queryByRole('radio', { name: 'Take theirs' })).not.toBeInTheDocument();
  expect(price()).toHaveValue('66.00');
  expect(shop.getRequests(changeProduct)).toHaveLength(1);
});

test('a taken number shows under its field, other failures above the form', async () => {
  const { user } = await openEditPart();
  const number = screen.getByLabelText('Part number');
  await retype(user, number, 'pf-d6102');
  shop.refuse(changeProduct, 'number-taken');
  await user.click(save());
  expect(await screen.findByText('Another part on sale has this number')).toBeVisible();
  expect(shop.getSentBody(changeProduct)).toEqual({ number: 'PF-D6102' });
  shop.refuse(changeProduct, 'internal', { requestId: '0198c2f4-9999' });
  await user.click(save());
  expect(await screen.findByRole('alert')).toHaveTextContent(
    'The changes were not saved. What you typed is still here; try again.Reference 0198c2f4-9999',
  );
  expect(number).toHaveValue('pf-d6102');
});

test('pictures are added, put first and removed', async () => {
  const { user, product } = await openEditPart();
  shop.answer(openUpload, { url: '/images/upload', key: 'a key', expiresIn: 600 });
  shop.respond('POST /images/upload', () => Response.json({ data: { url: '/images/new-1280.webp' } }));
  const file = new File(['a picture'], 'camera.png', { type: 'image/png' });
  await user.upload(screen.getByLabelText('Add a picture'), file);
  await user.click(await screen.findByRole('button', { name: 'Move picture 2 up' }));
  expect(await bar('1 change: pictures')).toBeVisible();
  shop.answer(changeProduct, { data: { ...product, version: 4 } });
  await user.click(save());
  await screen.findByText('OLED display assembly: saved');
  expect(shop.getSentBody(changeProduct)).toEqual({ images: ['/images/new-1280.webp', product.image] });
  expect(screen.queryByRole('button', { name: 'Remove picture 1' })).not.toBeInTheDocument();
});

test('a file that is no picture is refused before upload', async () => {
  await openEditPart();
  fireEvent.change(screen.getByLabelText('Add a picture'), {
    target: { files: [new File(['x'], 'notes.txt', { type: 'text/plain' })] },
  });
  expect(await screen.findByText(/^This is not a picture that can be used\./)).toBeVisible();
});

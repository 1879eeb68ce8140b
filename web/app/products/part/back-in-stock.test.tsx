import { readInstead } from '@parts-forge/contract/products/instead';
import { listProducts, readProduct } from '@parts-forge/contract/products/products';
import { addWish, readWish, removeWish } from '@parts-forge/contract/products/wishes';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { aProduct, aUser } from '#test/builders.ts';
import { fakeEventSources } from '#test/fake-event-source.ts';
import { startFakeShop } from '#test/fake-shop.ts';
import { openPage } from '#test/open-page.tsx';

const shop = startFakeShop();
fakeEventSources();
const ASK = 'Tell me when it is back';

async function openScarce(options: Parameters<typeof openPage>[1] = {}) {
  const part = aProduct({ quantity: 20, minimumOrder: 50 });
  shop.answer(readProduct, { data: part });
  shop.answer(readInstead, { data: { product: part, instead: [] } });
  shop.answer(listProducts, []);
  const address = `/products/${part._id}/oled-display-assembly`;
  const page = await openPage(address, options);
  await screen.findByText('Out of stock');
  return { ...page, address };
}

test('a visitor logs in and comes back to the part', async () => {
  const { address } = await openScarce();
  expect(await screen.findByRole('link', { name: ASK })).toHaveAttribute(
    'href',
    `/login?from=${encodeURIComponent(address)}`,
  );
});

test('a customer asks for one mail, and stops it', async () => {
  shop.signIn();
  shop.answer(readWish, { waiting: false });
  const { user } = await openScarce();
  shop.respond(addWish, () => {
    shop.answer(readWish, { waiting: true });
    return Response.json({ waiting: true });
  });
  shop.respond(removeWish, () => {
    shop.answer(readWish, { waiting: false });
    return Response.json({ deletedCount: 1 });
  });
  await user.click(await screen.findByRole('button', { name: ASK }));
  expect(await screen.findByText('You get one mail when it can be ordered again.')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Do not tell me' }));
  expect(await screen.findByRole('button', { name: ASK })).toBeVisible();
  expect(screen.queryByText(/one mail/)).toBeNull();
});

test('an unconfirmed address is confirmed first', async () => {
  shop.signIn('user', aUser({ email: 'amara@repair.example' }));
  shop.answer(readWish, { waiting: false });
  const { user } = await openScarce();
  shop.refuse(addWish, 'email-not-verified', { detail: 'Confirm your address: My Profile sends the link.' });
  await user.click(await screen.findByRole('button', { name: ASK }));
  expect(await screen.findByRole('alert')).toHaveTextContent('My Profile sends the link.');
});

test('a part that came back meanwhile says so', async () => {
  shop.signIn();
  shop.answer(readWish, { waiting: false });
  const { user } = await openScarce();
  shop.refuse(addWish, 'can-be-ordered');
  await user.click(await screen.findByRole('button', { name: ASK }));
  expect(await screen.findByRole('alert')).toHaveTextContent('This part can be ordered now');
});

test('administrators, and shops without mail, have no button', async () => {
  shop.signIn('admin');
  await openScarce();
  await expect.poll(() => screen.queryByText(ASK)).toBeNull();
  await openScarce({ wishes: false });
  expect(screen.queryByText(ASK)).toBeNull();
});

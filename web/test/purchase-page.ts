import { readProduct } from '@parts-forge/contract/products/products';
import { fireEvent, screen } from '@testing-library/react';
import { aProduct, aUser } from '#test/builders.ts';
import type { FakeShop } from './fake-shop.ts';
import { closePage, type OpenPage, openPage } from './open-page.tsx';

export const address = () => screen.getByLabelText('Address');
export const phone = () => screen.getByLabelText('phone');
export const quantity = () => screen.getByLabelText('Purchase Quantity');
export const purchase = () => screen.getByRole('button', { name: 'Purchase' });

/** Resolves when the form is there. */
export async function openPurchasePage(shop: FakeShop, product = aProduct(), user = aUser(), query = '') {
  shop.signIn(user.role, user);
  shop.answer(readProduct, { data: product });
  const page = await openPage(`/purchase/${product._id}${query}`);
  await screen.findByRole('heading', { name: 'Your order' });
  return page;
}

/** Pasted: each key would render the page again. */
export async function fillDelivery({ user }: OpenPage) {
  await user.click(address());
  await user.paste('12 Oxford Street');
  await user.click(phone());
  await user.paste('233302771204');
}

export async function typeQuantity({ user }: OpenPage, text: string) {
  await user.clear(quantity());
  if (text) await user.type(quantity(), text);
}

/** The browser discards the page. */
export function reload() {
  fireEvent(window, new Event('pagehide'));
  closePage();
}

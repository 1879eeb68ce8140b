import { readOrder } from '@parts-forge/contract/orders/orders';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { anOrder, aShop } from '#test/builders.ts';
import { expectLink } from '#test/expect-link.ts';
import { startFakeShop } from '#test/fake-shop.ts';
import { openPage } from '#test/open-page.tsx';

const shop = startFakeShop();
const name = 'Łódź & Søn "Teile"';

test('bar, footer and title have the name of the shop', async () => {
  await openPage('/nowhere', { shop: aShop({ name, tagline: 'Teile & mehr' }) });
  expect(await screen.findByRole('heading', { name: 'This page is missing' })).toBeVisible();
  expect(document.title).toBe(`Page not found · ${name}`);
  expectLink(name, '/', within(screen.getByRole('banner')));
  const footer = within(screen.getByRole('contentinfo'));
  expect(footer.getByText(name)).toBeVisible();
  expect(footer.getByText('Teile & mehr')).toBeVisible();
  expectLink('Instagram', 'https://instagram.example/kestrel', footer);
});

test('a shop without social addresses has no empty column', async () => {
  await openPage('/nowhere', { shop: aShop({ links: [] }) });
  expect(await screen.findByRole('navigation', { name: 'Quick links' })).toBeVisible();
  expect(screen.queryByText('Social')).toBeNull();
});

test('the logo of the shop replaces the drawn mark', async () => {
  await openPage('/nowhere', { shop: aShop({ logo: '/assets/logo-1.svg' }) });
  const banner = await screen.findByRole('banner');
  expect(banner.querySelector('img')).toHaveAttribute('src', '/assets/logo-1.svg');
});

test('a packing slip has the name of the shop', async () => {
  shop.signIn('admin');
  const order = anOrder({ number: 10093, status: 'pending' });
  shop.answer(readOrder, order);
  await openPage(`/dashboard/packing-slips?orders=${order._id}`, { shop: aShop({ name }) });
  const slip = within(await screen.findByRole('article', { name: 'Packing slip of order 10093' }));
  expect(slip.getByText(name)).toBeVisible();
  expect(document.title).toBe(`Packing slip · ${name}`);
});

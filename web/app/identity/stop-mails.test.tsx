import { stopWishes } from '@parts-forge/contract/products/wishes';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { startFakeShop } from '#test/fake-shop.ts';
import { openPage } from '#test/open-page.tsx';

const shop = startFakeShop();
const stop = () => screen.findByRole('button', { name: 'Stop these mails' });

test('the link alone stops nothing, one press stops all', async () => {
  shop.answer(stopWishes, { deletedCount: 2 });
  const { user } = await openPage('/stop-mails#token=a.b');
  await stop();
  expect(shop.getRequests(stopWishes)).toEqual([]);
  await user.click(await stop());
  expect(await screen.findByText(/You wait for no part any longer/)).toBeVisible();
  expect(shop.getRequests(stopWishes)[0]?.body).toEqual({ token: 'a.b' });
  expect(screen.getByRole('heading', { level: 1 })).toHaveFocus();
});

test('a dead or incomplete link says so', async () => {
  shop.refuse(stopWishes, 'dead-link');
  const { user } = await openPage('/stop-mails#token=a.b');
  await user.click(await stop());
  expect(await screen.findByRole('alert')).toHaveTextContent('This link no longer works');
  await openPage('/stop-mails');
  expect(await screen.findByRole('alert')).toHaveTextContent('This link is incomplete.');
});

import { readBatch } from '@parts-forge/contract/orders/batch';
import { listOrders } from '@parts-forge/contract/orders/orders';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { aBatchLine } from '#test/builders.ts';
import { startFakeShop } from '#test/fake-shop.ts';
import { openPage } from '#test/open-page.tsx';

const shop = startFakeShop();

/** Stores the line count as the last response left it. */
function saveLines(lines: number): void {
  localStorage.setItem('batch-lines', JSON.stringify({ account: shop.identityUser?.id, lines }));
}

const bar = () => within(screen.getByRole('banner'));

test('the bar links to the empty batch, without a count', async () => {
  await openPage('/blogs');
  expect(bar().getByRole('link', { name: 'Batch' })).not.toHaveTextContent(/\d/);
});

test('the bar links to the batch and marks it current', async () => {
  shop.signIn();
  saveLines(1);
  shop.answer(readBatch, { data: [aBatchLine()] });
  shop.answer(listOrders, { data: [] });
  const { user } = await openPage('/dashboard/my-profile');
  const link = () => bar().getByRole('link', { name: 'Batch, 1 line' });
  await screen.findByRole('button', { name: 'Update profile' });
  expect(link()).toHaveAttribute('href', '/dashboard/batch');
  expect(link()).not.toHaveAttribute('aria-current');
  await user.click(link());
  await screen.findByRole('heading', { level: 1, name: 'Batch' });
  expect(link()).toHaveAttribute('aria-current', 'page');
});

test('an administrator has no link to a batch', async () => {
  shop.signIn('admin');
  saveLines(2);
  await openPage('/dashboard/my-profile');
  await screen.findByRole('button', { name: 'Update profile' });
  await waitFor(() => expect(bar().queryByRole('link', { name: /^Batch/ })).toBeNull());
});

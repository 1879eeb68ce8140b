import { readBatch } from '@parts-forge/contract/batch';
import { listOrders } from '@parts-forge/contract/orders';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { aBatchLine } from '#app/dev/builders.ts';
import { startFakeShop } from '#test/fake-shop.ts';
import { openPage } from '#test/open-page.tsx';

const shop = startFakeShop();

/** Stores the line count as the last response left it. */
function saveLines(lines: number): void {
  localStorage.setItem('batch-lines', JSON.stringify({ account: shop.identityUser?.id, lines }));
}

test("the phone's menu button shows the number of lines", async () => {
  shop.signIn();
  saveLines(3);
  await openPage('/blogs');
  expect(await screen.findByRole('button', { name: /^Menu ?, batch of 3 lines$/ })).toHaveTextContent('3');
});

test('an empty batch shows no count', async () => {
  shop.signIn();
  await openPage('/dashboard/my-profile');
  await screen.findByRole('button', { name: 'Update profile' });
  expect(screen.getByRole('button', { name: 'Menu' })).not.toHaveTextContent(/\d/);
  expect(screen.queryByRole('link', { name: /Batch, / })).not.toBeInTheDocument();
});

test("the dashboard's bar links to the batch and marks it current", async () => {
  shop.signIn();
  saveLines(1);
  shop.answer(readBatch, { data: [aBatchLine()] });
  shop.answer(listOrders, { data: [] });
  const { user } = await openPage('/dashboard/my-profile');
  const link = () => within(screen.getByRole('main')).getByRole('link', { name: 'Batch, 1 line' });
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
  expect(within(screen.getByRole('main')).queryByRole('link', { name: 'Batch, 2 lines' })).toBeNull();
});

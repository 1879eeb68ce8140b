import { listProducts } from '@parts-forge/contract/products/products';
import { listReviews } from '@parts-forge/contract/products/reviews';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { expectLink } from '#test/expect-link.ts';
import { startFakeShop } from '#test/fake-shop.ts';
import { openPage } from '#test/open-page.tsx';

const shop = startFakeShop();

async function openBoxes(contactEmail: string | null = null) {
  shop.answer(listProducts, []);
  shop.answer(listReviews, []);
  const { user } = await openPage('/', { contactEmail });
  const boxes = within(await screen.findByRole('region', { name: 'Newsletter and contact' }));
  await user.type(boxes.getByLabelText('Message'), 'A display for an old phone');
  return { user, boxes };
}

test('Send says that nothing was sent and keeps the typed text', async () => {
  const { user, boxes } = await openBoxes();
  expect(boxes.queryByText(/Nothing was sent/)).not.toBeInTheDocument();
  await user.click(boxes.getByRole('button', { name: 'Send' }));
  const told = boxes.getByText(/Nothing was sent: this form is not connected\./);
  expect(told.closest('[aria-live=polite]')).not.toBeNull();
  expect(boxes.getByLabelText('Message')).toHaveValue('A display for an old phone');
  expect(boxes.queryByRole('link')).not.toBeInTheDocument();
});

test("the seller's email address is named if there is one", async () => {
  const { user, boxes } = await openBoxes('sales@forge.example');
  await user.click(boxes.getByRole('button', { name: 'Subscribe' }));
  expectLink('sales@forge.example', 'mailto:sales@forge.example', boxes);
});

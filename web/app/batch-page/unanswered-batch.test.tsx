import { type BatchLine, placeBatch, readBatch } from '@parts-forge/contract/orders/batch';
import { listOrders } from '@parts-forge/contract/orders/orders';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { aBatchLine, anOrder, aProduct } from '#test/builders.ts';
import { startFakeShop } from '#test/fake-shop.ts';
import { openPage } from '#test/open-page.tsx';

const shop = startFakeShop();
const display = aProduct({ name: 'Display', price: 64.5 });
const line = aBatchLine({ product: display, quantity: 50 });

async function openBatch(lines: BatchLine[] = [line]) {
  shop.signIn();
  shop.answer(readBatch, { data: lines });
  shop.answer(listOrders, { data: [anOrder()] });
  const page = await openPage('/dashboard/batch');
  if (lines.length > 0) await screen.findByText(/12 Oxford Street/);
  return page;
}

/** Sends a batch, loses its response and reopens the page. */
async function loseAnswer(lines: BatchLine[] = [line]) {
  const { user } = await openBatch();
  shop.disconnect(placeBatch);
  await user.click(placeButton());
  expect(await screen.findByText('No answer came.')).toBeVisible();
  const page = await openBatch(lines);
  expect(await screen.findByText('A batch was sent and no answer came.')).toBeVisible();
  return page;
}
const placeButton = () => screen.getByRole('button', { name: /^Place \d+ order/ });
const orderAgain = () => screen.getByRole('button', { name: 'It has arrived, order again' });
const unanswered = () => screen.queryByText('A batch was sent and no answer came.');
const inNotice = (name: string) =>
  within(unanswered()?.closest('p') as HTMLElement).getByRole('link', { name });
const getKeys = () => shop.getRequests(placeBatch).map(({ headers }) => headers.get('idempotency-key'));

test('the same lines resend the original batch despite a new price', async () => {
  const { user } = await loseAnswer([{ ...line, product: { ...display, price: 60 } }]);
  await user.click(placeButton());
  await waitFor(() => expect(getKeys()).toHaveLength(2));
  const [first, second] = shop.getRequests(placeBatch);
  expect(second?.body).toEqual(first?.body);
  expect(getKeys()[1]).toBe(getKeys()[0]);
});

test('another quantity makes another batch', async () => {
  const { user } = await loseAnswer([{ ...line, quantity: 60 }]);
  await user.click(placeButton());
  await waitFor(() => expect(getKeys()).toHaveLength(2));
  expect(getKeys()[1]).not.toBe(getKeys()[0]);
});

test('a customer who knows it arrived can order the same again', async () => {
  const { user } = await loseAnswer();
  await user.click(orderAgain());
  expect(unanswered()).not.toBeInTheDocument();
  expect(screen.getByRole('heading', { level: 1 })).toHaveFocus();
  await user.click(placeButton());
  expect(await screen.findByText('No answer came.')).toBeVisible();
  await user.click(orderAgain());
  expect(screen.queryByText('No answer came.')).not.toBeInTheDocument();
  await user.click(placeButton());
  await waitFor(() => expect(new Set(getKeys()).size).toBe(3));
});

test('a visit to My Orders settles an unanswered batch', async () => {
  const { user, getAddress } = await loseAnswer();
  await user.click(inNotice('My Orders'));
  await waitFor(() => expect(getAddress()).toBe('/dashboard/my-orders'));
  await openBatch();
  expect(unanswered()).not.toBeInTheDocument();
});

test('a batch that arrived left no lines, and links its orders', async () => {
  await loseAnswer([]);
  expect(screen.getByText('No lines yet')).toBeVisible();
  expect(inNotice('My Orders')).toHaveAttribute('href', '/dashboard/my-orders');
});

test('an internal error leaves the outcome open, a refusal does not', async () => {
  const { user } = await openBatch();
  shop.refuse(placeBatch, 'overloaded');
  await user.click(placeButton());
  expect(await screen.findByRole('alert')).toHaveTextContent('Nothing was placed. The shop is busy');
  shop.refuse(placeBatch, 'internal', { requestId: '0198c2f4-ffff' });
  await user.click(placeButton());
  await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent('Reference 0198c2f4-ffff'));
  expect(screen.getByRole('alert')).toHaveTextContent(
    'No answer came. Something went wrong on our side. Place the batch again: what has already arrived is not placed twice.',
  );
});

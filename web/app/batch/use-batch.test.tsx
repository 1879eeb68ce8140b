import { joinBatch } from '@parts-forge/contract/orders/batch';
import { render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { MemoryRouter } from 'react-router';
import { beforeEach, expect, test, vi } from 'vitest';
import { aBatchLine, aProduct } from '#test/builders.ts';
import { expectLink } from '#test/expect-link.ts';
import { startFakeShop } from '#test/fake-shop.ts';

const shop = startFakeShop();
const product = aProduct();

beforeEach(() => vi.resetModules());

/** A part's page reduced to the batch, with the hook that merges the list. */
async function openPart() {
  const [{ useBatch, useJoinBatch }, { ToastRegion }, { session }] = await Promise.all([
    import('./use-batch.ts'),
    import('#app/ui/toast.tsx'),
    import('#app/session/session.ts'),
  ]);
  function Part() {
    const { lines, add } = useBatch();
    useJoinBatch();
    return (
      <>
        <p>Lines: {lines}</p>
        <button type="button" onClick={() => void add(product._id, 475)}>
          Add to batch
        </button>
        <ToastRegion />
      </>
    );
  }
  await session.resolve();
  render(
    <MemoryRouter>
      <Part />
    </MemoryRouter>,
  );
  return { user: userEvent.setup({ delay: null }), session };
}
const readStoredLines = () => JSON.parse(localStorage.getItem('batch') ?? 'null')?.lines;

test("a visitor's lines stay in the browser and add up by part", async () => {
  const { user } = await openPart();
  expect(screen.getByText('Lines: 0')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Add to batch' }));
  expect(await screen.findByText('Lines: 1')).toBeVisible();
  expect(screen.getByText('475 pieces added to the batch.')).toBeVisible();
  expectLink('Open batch, 1 line', '/dashboard/batch');
  await user.click(screen.getByRole('button', { name: 'Add to batch' }));
  await waitFor(() => expect(readStoredLines()).toEqual([{ productId: product._id, quantity: 950 }]));
});

test('a customer adds to the saved batch, with its line count', async () => {
  shop.signIn();
  shop.answer(joinBatch, { data: [aBatchLine(), aBatchLine({ product })], left: [] });
  const { user } = await openPart();
  await user.click(screen.getByRole('button', { name: 'Add to batch' }));
  expect(await screen.findByText('Lines: 2')).toBeVisible();
  expect(shop.getSentBody(joinBatch)?.lines).toEqual([{ productId: product._id, quantity: 475 }]);
  expect(readStoredLines()).toBeUndefined();
});

test('the browser stores no email', async () => {
  shop.signIn();
  shop.answer(joinBatch, { data: [aBatchLine({ product })], left: [] });
  const { user } = await openPart();
  await user.click(screen.getByRole('button', { name: 'Add to batch' }));
  expect(await screen.findByText('Lines: 1')).toBeVisible();
  expect(JSON.parse(localStorage.getItem('batch-lines') ?? '')).toEqual({
    account: shop.identityUser?.id,
    lines: 1,
  });
  expect(JSON.stringify(localStorage)).not.toContain('@');
});

test("another account's line count is not shown", async () => {
  localStorage.setItem('batch-lines', JSON.stringify({ account: 'another', lines: 3 }));
  shop.signIn();
  await openPart();
  expect(await screen.findByText('Lines: 0')).toBeVisible();
});

test('a part beyond the line limit is not reported as added', async () => {
  shop.signIn();
  const left = [{ productId: product._id, reason: 'batch-full' as const }];
  shop.answer(joinBatch, { data: [aBatchLine({ product })], left });
  const { user } = await openPart();
  await user.click(screen.getByRole('button', { name: 'Add to batch' }));
  expect(
    await screen.findByText('Not added: a batch has at most 100 lines of 100,000,000 pieces each.'),
  ).toBeVisible();
});

test("a visitor's line grows no larger than the largest stock", async () => {
  const lines = [{ productId: product._id, quantity: 99_999_999 }];
  localStorage.setItem('batch', JSON.stringify({ join: 'x', lines }));
  const { user } = await openPart();
  await user.click(screen.getByRole('button', { name: 'Add to batch' }));
  expect(await screen.findByText(/^Not added: a batch has at most 100 lines/)).toBeVisible();
  expect(readStoredLines()).toEqual(lines);
});

test('a save without an answer says why, and repeats safely', async () => {
  shop.signIn();
  shop.disconnect(joinBatch);
  const { user } = await openPart();
  await user.click(screen.getByRole('button', { name: 'Add to batch' }));
  expect(await screen.findByText('The server did not answer.')).toBeVisible();
  shop.answer(joinBatch, { data: [aBatchLine()], left: [] });
  await user.click(screen.getByRole('button', { name: 'Add to batch' }));
  await waitFor(() => expect(shop.getRequests(joinBatch)).toHaveLength(2));
  const [lost, repeated] = shop.getRequests(joinBatch);
  expect(repeated?.body).toEqual(lost?.body);
});

test("a visitor's lines are saved at sign-in, and kept on failure", async () => {
  const { user, session } = await openPart();
  await user.click(screen.getByRole('button', { name: 'Add to batch' }));
  await screen.findByText('Lines: 1');
  shop.disconnect(joinBatch);
  shop.identityUser = { email: 'amara@repair.example', name: 'Amara Okafor' };
  shop.respond('POST /identity/sign-in/email', () => Response.json({ user: shop.identityUser }));
  await session.signIn({ email: 'amara@repair.example', password: 'secret' });
  await waitFor(() => expect(shop.getRequests(joinBatch)).toHaveLength(1));
  expect(readStoredLines()).toHaveLength(1);
});

test("an administrator's sign-in discards the browser's list", async () => {
  localStorage.setItem('batch', JSON.stringify({ join: 'x', lines: [{ productId: 'x', quantity: 1 }] }));
  shop.signIn('admin');
  shop.refuse(joinBatch, 'customers-only');
  await openPart();
  await waitFor(() => expect(localStorage.getItem('batch')).toBeNull());
});

test('lines without room stay in the browser and are told once', async () => {
  const line = { productId: product._id, quantity: 50 };
  localStorage.setItem(
    'batch',
    JSON.stringify({ join: 'x', lines: [line, { productId: 'old', quantity: 1 }] }),
  );
  shop.signIn();
  const left = [
    { productId: 'old', reason: 'gone' as const },
    { productId: product._id, name: product.name, reason: 'batch-full' as const },
  ];
  shop.answer(joinBatch, { data: [aBatchLine()], left });
  await openPart();
  expect(await screen.findByText('1 line of your list found no room in the batch.')).toBeVisible();
  expect(screen.getByText('1 line of your list named parts that are no longer sold.')).toBeVisible();
  expect(readStoredLines()).toEqual([line]);
  expect(JSON.parse(localStorage.getItem('batch') ?? '')).toMatchObject({ refused: [product.name] });
});

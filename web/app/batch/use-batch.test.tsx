import { joinBatch } from '@parts-forge/contract/batch';
import { render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { MemoryRouter } from 'react-router';
import { beforeEach, expect, test, vi } from 'vitest';
import { aBatchLine, aProduct } from '#app/dev/builders.ts';
import { startFakeShop } from '#test/fake-shop.ts';

const shop = startFakeShop();
const product = aProduct();

beforeEach(() => vi.resetModules());

/** A part's page, as far as the batch is concerned, with the bar's place that saves what was kept. */
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

test('a visitor’s lines stay in the browser; the same part again adds to its quantity', async () => {
  const { user } = await openPart();
  expect(screen.getByText('Lines: 0')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Add to batch' }));
  expect(await screen.findByText('Lines: 1')).toBeVisible();
  expect(screen.getByText('475 pieces added to the batch.')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Open batch, 1 line' })).toHaveAttribute(
    'href',
    '/dashboard/batch',
  );
  await user.click(screen.getByRole('button', { name: 'Add to batch' }));
  await waitFor(() => expect(readStoredLines()).toEqual([{ productId: product._id, quantity: 950 }]));
});

test('whoever is signed in has them in the saved batch, and the number beside it', async () => {
  shop.signIn();
  shop.answer(joinBatch, { data: [aBatchLine(), aBatchLine({ product })] });
  const { user } = await openPart();
  await user.click(screen.getByRole('button', { name: 'Add to batch' }));
  expect(await screen.findByText('Lines: 2')).toBeVisible();
  expect(shop.getSentBody(joinBatch)?.lines).toEqual([{ productId: product._id, quantity: 475 }]);
  expect(readStoredLines()).toBeUndefined();
});

test('the browser keeps nothing that says who the list is of, and forgets what an earlier version kept', async () => {
  localStorage.setItem('batch-lines', JSON.stringify({ email: 'amara@repair.example', lines: 3 }));
  shop.signIn();
  shop.answer(joinBatch, { data: [aBatchLine({ product })] });
  const { user } = await openPart();
  expect(localStorage.getItem('batch-lines')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Add to batch' }));
  expect(await screen.findByText('Lines: 1')).toBeVisible();
  expect(JSON.parse(localStorage.getItem('batch-lines') ?? '')).toEqual({
    account: shop.identityUser?.id,
    lines: 1,
  });
  expect(JSON.stringify(localStorage)).not.toContain('@');
});

test('the number of lines is nobody else’s', async () => {
  localStorage.setItem('batch-lines', JSON.stringify({ account: 'another', lines: 3 }));
  shop.signIn();
  await openPart();
  expect(await screen.findByText('Lines: 0')).toBeVisible();
});

test('a part for which the batch has no room is not said to be added', async () => {
  shop.signIn();
  shop.answer(joinBatch, { data: [aBatchLine()] });
  const { user } = await openPart();
  await user.click(screen.getByRole('button', { name: 'Add to batch' }));
  expect(
    await screen.findByText('Not added: a batch has at most 100 lines, of parts that are sold.'),
  ).toBeVisible();
});

test('what cannot be saved says why', async () => {
  shop.signIn();
  shop.disconnect(joinBatch);
  const { user } = await openPart();
  await user.click(screen.getByRole('button', { name: 'Add to batch' }));
  expect(await screen.findByText('The server did not answer.')).toBeVisible();
});

test('what a visitor has kept is saved at sign-in, and kept when that fails', async () => {
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

test('an administrator has no batch: what was kept is not handed to the next person', async () => {
  localStorage.setItem('batch', JSON.stringify({ join: 'x', lines: [{ productId: 'x', quantity: 1 }] }));
  shop.signIn('admin');
  shop.refuse(joinBatch, 'customers-only');
  await openPart();
  await waitFor(() => expect(localStorage.getItem('batch')).toBeNull());
});

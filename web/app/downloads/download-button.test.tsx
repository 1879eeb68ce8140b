import { createDownload } from '@parts-forge/contract/files/downloads';
import { listOrders } from '@parts-forge/contract/orders/orders';
import { screen, waitFor } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { anOrder } from '#test/builders.ts';
import { startFakeShop } from '#test/fake-shop.ts';
import { openPage } from '#test/open-page.tsx';

const shop = startFakeShop();

/** Collects the addresses that the page downloads during the test. */
function watchDownloads(): string[] {
  const addresses: string[] = [];
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    if (this.hasAttribute('download')) addresses.push(this.getAttribute('href') ?? '');
  });
  onTestFinished(() => click.mockRestore());
  return addresses;
}

async function openAllOrders(query = '') {
  shop.signIn('admin');
  shop.answer(listOrders, { data: [anOrder()] });
  const page = await openPage(`/dashboard/manage-orders${query}`);
  return { ...page, button: await screen.findByRole('button', { name: 'Export CSV' }) };
}

test('pressing requests the filtered file and downloads its link', async () => {
  const { user, button } = await openAllOrders('?q=amara&status=paid');
  shop.answer(createDownload, { url: '/downloads/secret', expiresIn: 60 });
  const addresses = watchDownloads();
  await user.click(button);
  await waitFor(() => expect(addresses).toEqual(['/downloads/secret']));
  expect(shop.getRequests(createDownload).map(({ body }) => body)).toEqual([
    { what: 'orders', filters: { q: 'amara', status: 'paid' } },
  ]);
});

test('a refusal is shown, and nothing is downloaded', async () => {
  const { user, button } = await openAllOrders();
  shop.refuse(createDownload, 'too-many');
  const addresses = watchDownloads();
  await user.click(button);
  expect(await screen.findByText('Those were too many attempts in a short time.')).toBeVisible();
  expect(addresses).toEqual([]);
  expect(button).toBeEnabled();
});

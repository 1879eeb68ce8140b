import { readUserData } from '@parts-forge/contract/people/accounts';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { anOrder, aUser } from '#test/builders.ts';
import { startFakeShop } from '#test/fake-shop.ts';
import { openPage } from '#test/open-page.tsx';
import { watchSavedFiles } from '#test/saved-files.ts';

const shop = startFakeShop();
const amara = aUser();
const data = {
  exportedAt: '2026-11-22T09:30:00.000Z',
  isComplete: true,
  profile: amara,
  orders: [anOrder()],
  batch: [],
  wishes: [],
  prices: [],
  quotes: [],
  invoices: [],
  reviews: [],
  aliases: [],
  trail: [],
  mails: [],
  signIn: { emailVerified: true, identity: null, google: null, secondFactor: false, sessions: [], keys: [] },
};

async function openProfile() {
  shop.signIn('user', amara);
  const page = await openPage('/dashboard/my-profile');
  await screen.findByRole('button', { name: 'Download my data' });
  return page;
}

test('the download is one JSON file with the day in its name', async () => {
  const { user } = await openProfile();
  shop.answer(readUserData, data);
  const files = watchSavedFiles();
  await user.click(screen.getByRole('button', { name: 'Download my data' }));
  expect(await screen.findByText('Your data is downloaded')).toBeVisible();
  expect(files.map(({ name }) => name)).toEqual(['my-data-2026-11-22.json']);
  expect(JSON.parse((await files[0]?.blob.text()) ?? '')).toEqual(data);
  expect(shop.getRequests(readUserData)[0]?.params.email).toBe(amara.email);
});

test('a download over ten thousand entries says that it is incomplete', async () => {
  const { user } = await openProfile();
  shop.answer(readUserData, { ...data, isComplete: false });
  watchSavedFiles();
  await user.click(screen.getByRole('button', { name: 'Download my data' }));
  expect(await screen.findByText('The newest 10,000 entries of each kind are downloaded')).toBeVisible();
});

test('a failed download names the failure', async () => {
  const { user } = await openProfile();
  shop.refuse(readUserData, 'internal', { requestId: '0198c2f4-eeee' });
  await user.click(screen.getByRole('button', { name: 'Download my data' }));
  const alert = await screen.findByRole('alert');
  expect(alert).toHaveTextContent('Something went wrong on our side. Try again.');
  expect(alert).toHaveTextContent('Reference 0198c2f4-eeee');
});

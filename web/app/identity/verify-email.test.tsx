import { confirmEmail, sendVerificationMail } from '@parts-forge/contract/people/email-verification';
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { startFakeShop } from '#test/fake-shop.ts';
import { openPage } from '#test/open-page.tsx';

const shop = startFakeShop();

const press = 'Confirm this address';

test('one press of a signed-in user confirms the address', async () => {
  shop.signIn();
  shop.answer(confirmEmail, { verified: true, already: false });
  const { user } = await openPage('/verify-email#token=secret');
  await user.click(await screen.findByRole('button', { name: press }));
  expect(await screen.findByText('amara@repair.example is confirmed.')).toBeVisible();
  expect(shop.getSentBody(confirmEmail)).toEqual({ token: 'secret' });
  expect(sessionStorage.length).toBe(0);
});

test('a visitor logs in first, and no URL contains the secret', async () => {
  const { user, getAddress } = await openPage('/verify-email#token=secret');
  await user.click(await screen.findByRole('link', { name: 'Log in to confirm' }));
  await waitFor(() => expect(getAddress()).toBe('/login?from=%2Fverify-email'));
  shop.signIn();
  shop.answer(confirmEmail, { verified: true, already: true });
  const back = await openPage('/verify-email');
  await back.user.click(await screen.findByRole('button', { name: press }));
  expect(await screen.findByText('amara@repair.example was confirmed before.')).toBeVisible();
  expect(shop.getSentBody(confirmEmail)).toEqual({ token: 'secret' });
});

test('a dead link offers another one', async () => {
  shop.signIn();
  shop.refuse(confirmEmail, 'dead-link');
  const { user } = await openPage('/verify-email#token=secret');
  await user.click(await screen.findByRole('button', { name: press }));
  expect(await screen.findByText(/has expired, or was replaced/)).toBeVisible();
  shop.answer(sendVerificationMail, { verified: false, mailed: false, nextInSeconds: 7200 });
  await user.click(screen.getByRole('button', { name: 'Send the link again' }));
  expect(
    await screen.findByText(
      'Nothing was sent now: amara@repair.example was mailed a link before. Another can be sent in 2 hours.',
    ),
  ).toBeVisible();
});

test('the link can be pressed again after a lost answer', async () => {
  shop.signIn();
  shop.disconnect(confirmEmail);
  const { user } = await openPage('/verify-email#token=secret');
  await user.click(await screen.findByRole('button', { name: press }));
  expect(await screen.findByText('The server did not answer.')).toBeVisible();
  shop.answer(confirmEmail, { verified: true, already: false });
  await user.click(screen.getByRole('button', { name: press }));
  expect(await screen.findByText('amara@repair.example is confirmed.')).toBeVisible();
});

test('an address without a secret is no link', async () => {
  shop.signIn();
  await openPage('/verify-email');
  expect(await screen.findByText(/This link is incomplete/)).toBeVisible();
});

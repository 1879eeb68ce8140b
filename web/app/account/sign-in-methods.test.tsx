import { sendVerificationMail } from '@parts-forge/contract/people/email-verification';
import { readConfig } from '@parts-forge/contract/people/identity';
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { aConfig } from '#test/builders.ts';
import { startFakeShop } from '#test/fake-shop.ts';
import { openPage } from '#test/open-page.tsx';

const shop = startFakeShop();

const withMail = (mail: boolean) => {
  const config = aConfig();
  return { ...config, identity: { ...config.identity, mail } };
};

/** My Profile; `proven` says whether the address is. */
async function openProfile({ proven, mail }: { proven: boolean; mail: boolean }) {
  shop.signIn();
  if (shop.identityUser) shop.identityUser.emailVerified = proven;
  shop.answer(readConfig, withMail(mail));
  const page = await openPage('/dashboard/my-profile');
  await screen.findByRole('heading', { name: 'Email address' });
  return page;
}

test('a Google account needs no password and can have one mailed', async () => {
  shop.signInMethods = ['google'];
  shop.respond('POST /identity/request-password-reset', () => Response.json({ status: true, message: '…' }));
  const { user } = await openProfile({ proven: true, mail: true });
  expect(await screen.findByText('You sign in with Google, and this account has no password.')).toBeVisible();
  expect(screen.queryByLabelText('Current password')).not.toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Mail me a link to set one' }));
  expect(await screen.findByText(/A link is on its way to amara@repair.example/)).toBeVisible();
  const [request] = shop.getRequests('POST /identity/request-password-reset');
  expect(request?.body).toEqual({ email: 'amara@repair.example' });
});

test('a shop without mail offers no link for password or address', async () => {
  shop.signInMethods = ['google'];
  await openProfile({ proven: false, mail: false });
  expect(await screen.findByText('You sign in with Google, and this account has no password.')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Mail me a link to set one' })).not.toBeInTheDocument();
  await waitFor(() => expect(screen.queryByText(/is not confirmed yet/)).not.toBeInTheDocument());
  expect(screen.queryByRole('button', { name: 'Send the link again' })).not.toBeInTheDocument();
});

test('an account with password and Google changes its password as usual', async () => {
  shop.signInMethods = ['credential', 'google'];
  await openProfile({ proven: true, mail: true });
  expect(await screen.findByLabelText('Current password')).toBeVisible();
  expect(await screen.findByText('amara@repair.example is confirmed.')).toBeVisible();
});

test('an unconfirmed address can get another link', async () => {
  const { user } = await openProfile({ proven: false, mail: true });
  shop.answer(sendVerificationMail, { verified: false, mailed: true, nextInSeconds: 60 });
  await user.click(await screen.findByRole('button', { name: 'Send the link again' }));
  expect(
    await screen.findByText(
      'A link is on its way to amara@repair.example. It works for a day. Another can be sent in 60 seconds.',
    ),
  ).toBeVisible();
});

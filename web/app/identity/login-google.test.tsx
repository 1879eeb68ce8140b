import { exchangeIdentity } from '@parts-forge/contract/people/identity';
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { startFakeShop } from '#test/fake-shop.ts';
import { openPage } from '#test/open-page.tsx';

const shop = startFakeShop();
const BEGIN = 'POST /identity/sign-in/social';
const GOOGLE = 'https://google.example/authorize';

const popup = {
  closed: false,
  opener: 'the page' as unknown,
  location: { replace: vi.fn() },
  close: vi.fn(),
};
const openWindow = vi.fn<() => typeof popup | null>();

beforeEach(() => {
  popup.closed = false;
  popup.opener = 'the page';
  popup.location.replace.mockReset();
  popup.close.mockReset();
  openWindow.mockReset().mockReturnValue(popup);
  vi.spyOn(window, 'open').mockImplementation(openWindow as unknown as typeof window.open);
  shop.respond(BEGIN, () => Response.json({ url: GOOGLE, redirect: false }));
});

const pressGoogle = (user: Awaited<ReturnType<typeof openPage>>['user']) =>
  user.click(screen.getByRole('button', { name: 'CONTINUE WITH GOOGLE' }));

async function openLogin(google = true) {
  const page = await openPage('/login?from=%2Fportfolio', { google });
  await screen.findByRole('heading', { name: 'Login' });
  return page;
}

/** Presses the button, waits until the window is at Google, and returns its id. */
async function goToGoogle() {
  const page = await openLogin();
  await pressGoogle(page.user);
  await waitFor(() => expect(popup.location.replace).toHaveBeenCalledWith(GOOGLE));
  const [request] = shop.getRequests(BEGIN);
  return { ...page, id: /\?id=([\w-]+)"/.exec(JSON.stringify(request?.body))?.[1] ?? '' };
}

/** Acts like `popup.js`: repeats its message until the page receives it. */
async function comeBack(id: string, error: string | null = null) {
  const channel = new BroadcastChannel('google-sign-in');
  const heard = new Promise<void>((resolve) => {
    channel.onmessage = ({ data }) => data.id === id && data.isHeard && resolve();
  });
  channel.postMessage({ id, error });
  await heard;
  popup.closed = true;
}

function signIn() {
  shop.identityUser = { email: 'amara@gmail.example', name: 'Amara Okafor' };
}

const expectBanner = async (sentence: string) =>
  expect(await screen.findByRole('alert')).toHaveTextContent(sentence);

test('the window opens within the click, before requests, and without opener', async () => {
  const release = shop.hold(BEGIN);
  const { user } = await openLogin();
  openWindow.mockImplementation(() => {
    expect(shop.getRequests(BEGIN)).toEqual([]);
    return popup;
  });
  await pressGoogle(user);
  expect(openWindow).toHaveBeenCalledTimes(1);
  await waitFor(() => expect(popup.opener).toBeNull());
  expect(popup.location.replace).not.toHaveBeenCalled();
  release();
  await waitFor(() => expect(popup.location.replace).toHaveBeenCalledWith(GOOGLE));
});

test('a sign-in registers the user with the shop and leads back', async () => {
  const { id, getAddress } = await goToGoogle();
  signIn();
  await comeBack(id);
  await waitFor(() => expect(getAddress()).toBe('/portfolio'));
  expect(localStorage.getItem('accessToken')).toBe('a-new-token');
  expect(shop.getRequests(exchangeIdentity)[0]?.body).toEqual({
    email: 'amara@gmail.example',
    name: 'Amara Okafor',
  });
});

test('messages from other windows are ignored', async () => {
  const { id, getAddress } = await goToGoogle();
  signIn();
  const channel = new BroadcastChannel('google-sign-in');
  channel.postMessage({ id: 'another', error: 'access_denied' });
  await comeBack(id);
  await waitFor(() => expect(getAddress()).toBe('/portfolio'));
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
});

test('a shop without Google says so and opens no window', async () => {
  const { user } = await openLogin(false);
  await pressGoogle(user);
  await expectBanner('Google sign-in is not set up on this shop.');
  expect(openWindow).not.toHaveBeenCalled();
});

describe('the banner of a failed sign-in with Google', () => {
  test('reports a blocked window', async () => {
    openWindow.mockReturnValue(null);
    const { user } = await openLogin();
    await pressGoogle(user);
    await expectBanner('The browser has blocked the window of Google.');
    expect(shop.getRequests(BEGIN)).toEqual([]);
  });

  test('reports an unreachable shop', async () => {
    shop.disconnect(BEGIN);
    const { user } = await openLogin();
    await pressGoogle(user);
    await expectBanner('The shop cannot be reached.');
    expect(popup.close).toHaveBeenCalled();
  });

  test('reports an address that Google does not send back to', async () => {
    shop.refuseIdentity(BEGIN, 403, 'Invalid origin', 'INVALID_ORIGIN');
    const { user } = await openLogin();
    await pressGoogle(user);
    await expectBanner('Invalid origin');
    expect(popup.close).toHaveBeenCalled();
  });

  test('reports that Google was switched off after the page load', async () => {
    shop.refuseIdentity(BEGIN, 404, 'Provider not found', 'PROVIDER_NOT_FOUND');
    const { user } = await openLogin();
    await pressGoogle(user);
    await expectBanner('Google sign-in is not set up on this shop.');
    expect(popup.close).toHaveBeenCalled();
  });

  test.each([
    ['access_denied', 'The sign-in with Google was cancelled.'],
    ['email_not_verified', 'Google has not verified this email address.'],
    ['user_mismatch', 'This email address belongs to another Google account in this shop.'],
    ['password_needed', 'This account signs in with its password.'],
    ['account_not_linked', 'This account signs in with its password.'],
    ['state_mismatch', 'The sign-in with Google took too long. Please try again.'],
    ['<b>other</b>', 'The sign-in with Google has failed. Please try again.'],
    ['constructor', 'The sign-in with Google has failed. Please try again.'],
  ])('explains the code %s', async (code, sentence) => {
    const { id, getAddress } = await goToGoogle();
    await comeBack(id, code);
    await expectBanner(sentence);
    expect(getAddress()).toBe('/login?from=%2Fportfolio');
    expect(localStorage.getItem('accessToken')).toBeNull();
  });

  test('reports a closed window, and a late sign-in still succeeds', async () => {
    const { id, getAddress } = await goToGoogle();
    popup.closed = true;
    await expectBanner('The window of Google was closed before the sign-in was done.');
    signIn();
    await comeBack(id);
    await waitFor(() => expect(getAddress()).toBe('/portfolio'));
  });

  test('reports that the shop refuses Google’s user', async () => {
    shop.refuse(exchangeIdentity, 'email-in-use');
    const { id } = await goToGoogle();
    signIn();
    await comeBack(id);
    expect(await screen.findByRole('alert')).toBeVisible();
    await waitFor(() => expect(shop.identityUser).toBeNull());
  });
});

import { exchangeIdentity, logout } from '@parts-forge/contract/identity';
import { waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { IdentityError, OfflineError, ShopProblem, SignedOutError } from '#app/http/errors.ts';
import { embeddedIdentity } from '#app/session/embedded-identity.ts';
import { SessionStore } from '#app/session/session-store.ts';
import { startFakeShop } from '#test/fake-shop.ts';

const shop = startFakeShop();

const amara = { email: 'amara@repair.example', displayName: 'Amara Okafor' };
const signedOut = { status: 'signed-out', hasExpired: false, keepsPage: false };
const expired = { status: 'signed-out', hasExpired: true, keepsPage: false };
const storedToken = () => localStorage.getItem('accessToken');

const openTab = () => new SessionStore(embeddedIdentity);

async function openSignedInTab() {
  shop.signIn();
  const tab = openTab();
  await tab.resolve();
  return tab;
}

test('the session is loading until the identity service has been asked', async () => {
  shop.signIn();
  const tab = openTab();
  expect(tab.getState()).toEqual({ status: 'loading' });
  expect(await tab.resolve()).toMatchObject({ status: 'signed-in', user: amara });
});

test('without an access token nobody is signed in, and no service is asked', async () => {
  expect(await openTab().resolve()).toEqual(signedOut);
  expect(shop.getRequests('GET /identity/get-session')).toEqual([]);
});

test('an access token without a session at the identity service has expired and is removed', async () => {
  shop.signIn();
  shop.identityUser = null;
  expect(await openTab().resolve()).toEqual(expired);
  expect(storedToken()).toBeNull();
});

describe('a browser that forbids storage', () => {
  const storage = localStorage;
  beforeEach(() => {
    const refuse = () => {
      throw new DOMException('The operation is insecure.', 'SecurityError');
    };
    vi.stubGlobal('localStorage', { getItem: refuse, setItem: refuse, removeItem: refuse });
  });
  afterEach(() => void vi.stubGlobal('localStorage', storage));

  test('signs in and keeps the access token for the page', async () => {
    const tab = openTab();
    expect(await tab.resolve()).toEqual(signedOut);
    shop.letIn();
    expect(await tab.signIn({ email: amara.email, password: 'secret 1' })).toBe('signed-in');
    expect(tab.requireAccessToken()).toBe('a-new-token');
    await tab.signOut();
    expect(tab.hasAccessToken()).toBe(false);
  });

  test('is signed in on the next page by the cookie', async () => {
    shop.identityUser = { email: amara.email, name: amara.displayName };
    const tab = openTab();
    expect(await tab.resolve()).toMatchObject({ status: 'signed-in', user: amara });
    expect(tab.requireAccessToken()).toBe('a-new-token');
    await tab.signOut();
  });

  test('is signed out when the shop refuses the person', async () => {
    shop.identityUser = { email: amara.email, name: amara.displayName };
    shop.refuse(exchangeIdentity, 'identity-revoked');
    expect(await openTab().resolve()).toEqual(signedOut);
  });
});

test('however many ask who is signed in, the service is asked once', async () => {
  shop.signIn();
  const tab = openTab();
  await Promise.all([tab.resolve(), tab.resolve(), tab.resolve()]);
  expect(shop.getRequests('GET /identity/get-session')).toHaveLength(1);
});

test('a service that did not answer signs nobody out and is asked again', async () => {
  shop.signIn();
  const tab = openTab();
  shop.disconnect('GET /identity/get-session');
  await expect(tab.resolve()).rejects.toThrow(OfflineError);
  shop.respond('GET /identity/get-session', () => new Response('{"user":'));
  await expect(tab.resolve()).rejects.toThrow(OfflineError);
  shop.respond('GET /identity/get-session', () => new Response('{}', { status: 503 }));
  await expect(tab.resolve()).rejects.toThrow(IdentityError);
  expect(tab.getState()).toEqual({ status: 'loading' });
  expect(storedToken()).toBe('a-token');
});

test('an access token that ran out is renewed once for several calls at once', async () => {
  const tab = await openSignedInTab();
  const renewed = await Promise.all([1, 2, 3].map(() => tab.renewAccessToken('a-token')));
  expect(renewed).toEqual(['a-new-token', 'a-new-token', 'a-new-token']);
  expect(shop.getRequests('GET /identity/token')).toHaveLength(1);
  expect(shop.getRequests(exchangeIdentity)).toHaveLength(1);
  expect(storedToken()).toBe('a-new-token');
});

test('where the browser has no locks a tab renews once for several calls at once, too', async () => {
  vi.stubGlobal('navigator', { onLine: true });
  const tab = await openSignedInTab();
  await Promise.all([1, 2, 3].map(() => tab.renewAccessToken('a-token')));
  expect(shop.getRequests(exchangeIdentity)).toHaveLength(1);
});

test('a call that comes after the renewal takes the new token without another one', async () => {
  const tab = await openSignedInTab();
  await tab.renewAccessToken('a-token');
  expect(await tab.renewAccessToken('a-token')).toBe('a-new-token');
  expect(shop.getRequests(exchangeIdentity)).toHaveLength(1);
});

test('two tabs renew one after the other, and the second takes what the first got', async () => {
  const [first, second] = [await openSignedInTab(), await openSignedInTab()];
  await Promise.all([first.renewAccessToken('a-token'), second.renewAccessToken('a-token')]);
  expect(shop.getRequests(exchangeIdentity)).toHaveLength(1);
});

test('a renewal is refused when the session at the identity service is over', async () => {
  const tab = await openSignedInTab();
  shop.identityUser = null;
  await expect(tab.renewAccessToken('a-token')).rejects.toThrow(SignedOutError);
  tab.expire('leave');
  expect(tab.getState()).toEqual(expired);
  expect(storedToken()).toBeNull();
});

test('a renewal is refused when the shop does not accept the proof', async () => {
  const tab = await openSignedInTab();
  shop.refuse(exchangeIdentity, 'identity-revoked');
  await expect(tab.renewAccessToken('a-token')).rejects.toThrow(SignedOutError);
});

test('a sign-out during a renewal is not undone by it, and the new token is ended at once', async () => {
  const tab = await openSignedInTab();
  const release = shop.hold(exchangeIdentity);
  const renewal = tab.renewAccessToken('a-token');
  await waitFor(() => expect(shop.getRequests('GET /identity/token')).toHaveLength(1));
  await tab.signOut();
  release();
  await expect(renewal).rejects.toThrow(SignedOutError);
  expect(storedToken()).toBeNull();
  const ended = shop.getRequests(logout).map(({ headers }) => headers.get('authorization'));
  expect(ended).toEqual(['Bearer a-token', 'Bearer a-new-token']);
});

test('when one call would keep the page and another leaves it, the page is left', async () => {
  const tab = await openSignedInTab();
  tab.expire('stay');
  expect(tab.getState()).toEqual({ ...expired, keepsPage: true });
  tab.expire('leave');
  expect(tab.getState()).toEqual(expired);
  tab.expire('stay');
  expect(tab.getState()).toEqual(expired);
});

test('Logout removes the access token, ends it at the shop, and ends the session', async () => {
  const tab = await openSignedInTab();
  await tab.signOut();
  expect(tab.getState()).toEqual(signedOut);
  expect(storedToken()).toBeNull();
  expect(shop.getRequests(logout)).toHaveLength(1);
  expect(shop.identityUser).toBeNull();
});

test('Logout in one tab signs out the others, which end nothing again', async () => {
  const [tab, other] = [await openSignedInTab(), await openSignedInTab()];
  await tab.signOut();
  await waitFor(() => expect(other.getState()).toEqual(signedOut));
  expect(shop.getRequests(logout)).toHaveLength(1);
});

test('a sign-in in one tab is a sign-in in the others', async () => {
  const tab = openTab();
  const other = await openSignedInTab();
  await other.signOut();
  await tab.resolve();
  shop.letIn();
  await tab.signIn({ email: amara.email, password: 'secret 1' });
  await waitFor(() => expect(other.getState()).toEqual({ status: 'signed-in', user: amara }));
});

test('a sign-in waits for the sign-out that is still under way', async () => {
  const tab = await openSignedInTab();
  const release = shop.hold('POST /identity/sign-out');
  const signOut = tab.signOut();
  shop.respond('POST /identity/sign-in/email', () => Response.json({ message: 'No' }, { status: 401 }));
  const signIn = tab.signIn({ email: amara.email, password: 'secret 1' }).catch(() => 'refused');
  expect(shop.getRequests('POST /identity/sign-in/email')).toEqual([]);
  release();
  await signOut;
  expect(await signIn).toBe('refused');
});

test('a shop that fails during a sign-in is told apart from a wrong password', async () => {
  shop.letIn();
  shop.refuse(exchangeIdentity, 'unavailable', { requestId: '0198c2f4-dddd' });
  const signIn = openTab().signIn({ email: amara.email, password: 'secret 1' });
  await expect(signIn).rejects.toThrow(ShopProblem);
  await expect(signIn).rejects.toMatchObject({ requestId: '0198c2f4-dddd' });
});

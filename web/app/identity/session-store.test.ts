import { exchangeIdentity, logout } from '@parts-forge/contract/people/identity';
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

test('the session is loading until the identity service answers', async () => {
  shop.signIn();
  const tab = openTab();
  expect(tab.getState()).toEqual({ status: 'loading' });
  expect(await tab.resolve()).toMatchObject({ status: 'signed-in', user: amara });
});

test('a missing access token means signed out, without a request', async () => {
  expect(await openTab().resolve()).toEqual(signedOut);
  expect(shop.getRequests('GET /identity/get-session')).toEqual([]);
});

test('an access token without a session is expired and removed', async () => {
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

  test('is signed in on the next page by its cookie', async () => {
    shop.identityUser = { email: amara.email, name: amara.displayName };
    const tab = openTab();
    expect(await tab.resolve()).toMatchObject({ status: 'signed-in', user: amara });
    expect(tab.requireAccessToken()).toBe('a-new-token');
    await tab.signOut();
  });

  test('is signed out if the shop refuses the person', async () => {
    shop.identityUser = { email: amara.email, name: amara.displayName };
    shop.refuse(exchangeIdentity, 'identity-revoked');
    expect(await openTab().resolve()).toEqual(signedOut);
  });
});

test('concurrent readers of the session share one request', async () => {
  shop.signIn();
  const tab = openTab();
  await Promise.all([tab.resolve(), tab.resolve(), tab.resolve()]);
  expect(shop.getRequests('GET /identity/get-session')).toHaveLength(1);
});

test('an unanswered request signs nobody out and is retried', async () => {
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

test('concurrent calls share one renewal of the access token', async () => {
  const tab = await openSignedInTab();
  const renewed = await Promise.all([1, 2, 3].map(() => tab.renewAccessToken('a-token')));
  expect(renewed).toEqual(['a-new-token', 'a-new-token', 'a-new-token']);
  expect(shop.getRequests('GET /identity/token')).toHaveLength(1);
  expect(shop.getRequests(exchangeIdentity)).toHaveLength(1);
  expect(storedToken()).toBe('a-new-token');
});

test('concurrent calls share one renewal without locks too', async () => {
  vi.stubGlobal('navigator', { onLine: true });
  const tab = await openSignedInTab();
  await Promise.all([1, 2, 3].map(() => tab.renewAccessToken('a-token')));
  expect(shop.getRequests(exchangeIdentity)).toHaveLength(1);
});

test('a call after the renewal takes the new token', async () => {
  const tab = await openSignedInTab();
  await tab.renewAccessToken('a-token');
  expect(await tab.renewAccessToken('a-token')).toBe('a-new-token');
  expect(shop.getRequests(exchangeIdentity)).toHaveLength(1);
});

test('two tabs renew in turn, and the second reuses the token', async () => {
  const [first, second] = [await openSignedInTab(), await openSignedInTab()];
  await Promise.all([first.renewAccessToken('a-token'), second.renewAccessToken('a-token')]);
  expect(shop.getRequests(exchangeIdentity)).toHaveLength(1);
});

test('a renewal fails if the identity session has ended', async () => {
  const tab = await openSignedInTab();
  shop.identityUser = null;
  await expect(tab.renewAccessToken('a-token')).rejects.toThrow(SignedOutError);
  tab.expire('leave');
  expect(tab.getState()).toEqual(expired);
  expect(storedToken()).toBeNull();
});

test('a renewal fails if the shop rejects the proof', async () => {
  const tab = await openSignedInTab();
  shop.refuse(exchangeIdentity, 'identity-revoked');
  await expect(tab.renewAccessToken('a-token')).rejects.toThrow(SignedOutError);
});

test('a sign-out during a renewal ends the new token at once', async () => {
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

test('a call that leaves the page wins over one that keeps it', async () => {
  const tab = await openSignedInTab();
  tab.expire('stay');
  expect(tab.getState()).toEqual({ ...expired, keepsPage: true });
  tab.expire('leave');
  expect(tab.getState()).toEqual(expired);
  tab.expire('stay');
  expect(tab.getState()).toEqual(expired);
});

test('Logout ends token and session and removes the token', async () => {
  const tab = await openSignedInTab();
  await tab.signOut();
  expect(tab.getState()).toEqual(signedOut);
  expect(storedToken()).toBeNull();
  expect(shop.getRequests(logout)).toHaveLength(1);
  expect(shop.identityUser).toBeNull();
});

test('Logout signs out other tabs, which send nothing', async () => {
  const [tab, other] = [await openSignedInTab(), await openSignedInTab()];
  await tab.signOut();
  await waitFor(() => expect(other.getState()).toEqual(signedOut));
  expect(shop.getRequests(logout)).toHaveLength(1);
});

test('a sign-in in one tab signs in the others', async () => {
  const tab = openTab();
  const other = await openSignedInTab();
  await other.signOut();
  await tab.resolve();
  shop.letIn();
  await tab.signIn({ email: amara.email, password: 'secret 1' });
  await waitFor(() => expect(other.getState()).toEqual({ status: 'signed-in', user: amara }));
});

test('a sign-in waits for a pending sign-out', async () => {
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

test('a failing shop during a sign-in differs from a wrong password', async () => {
  shop.letIn();
  shop.refuse(exchangeIdentity, 'unavailable', { requestId: '0198c2f4-dddd' });
  const signIn = openTab().signIn({ email: amara.email, password: 'secret 1' });
  await expect(signIn).rejects.toThrow(ShopProblem);
  await expect(signIn).rejects.toMatchObject({ requestId: '0198c2f4-dddd' });
});

import { exchangeIdentity } from '@parts-forge/contract/people/identity';
import { screen } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import { IdentityError, OfflineError } from '#app/http/errors.ts';
import { isEndedSession, toIdentityError } from '#app/session/firebase-errors.ts';
import { createFirebaseLoader } from '#app/session/firebase-loader.ts';
import { readFirebaseProject } from '#app/session/firebase-project.ts';
import type { IdentityClient } from '#app/session/identity-client.ts';
import { SessionStore } from '#app/session/session-store.ts';
import { startFakeShop } from '#test/fake-shop.ts';
import { openPage } from '#test/open-page.tsx';

const shop = startFakeShop();
const project = { projectId: 'parts-forge-1', apiKey: 'a-public-key', authDomain: 'parts-forge-1.example' };
const amara = { id: 'amara', email: 'amara@repair.example', displayName: 'Amara Okafor' };

const firebaseError = (code: string) =>
  Object.assign(new Error(`Firebase: Error (${code}).`), { name: 'FirebaseError', code });

describe("Firebase's errors", () => {
  test.each([
    ['auth/invalid-credential', 'invalid-credential'],
    ['auth/wrong-password', 'invalid-credential'],
    ['auth/user-not-found', 'invalid-credential'],
    ['auth/email-already-in-use', 'email-already-in-use'],
    ['auth/weak-password', 'weak-password'],
    ['auth/too-many-requests', 'too-many-requests'],
    ['auth/user-disabled', 'user-disabled'],
    ['auth/popup-blocked', 'popup-blocked'],
    ['auth/popup-closed-by-user', 'popup-closed-by-user'],
    ['auth/unauthorized-domain', 'unauthorized-domain'],
    ['auth/user-mismatch', 'user-mismatch'],
    ['auth/network-request-failed', 'network-request-failed'],
    ['auth/api-key-not-valid.-please-pass-a-valid-api-key.', 'invalid-api-key'],
  ])('%s becomes %s and keeps its message', (code, ours) => {
    const error = toIdentityError(firebaseError(code));
    expect(error).toBeInstanceOf(IdentityError);
    expect(error).toMatchObject({ code: ours, message: `Firebase: Error (${code}).`, status: null });
  });

  test('other errors keep their message', () => {
    expect(toIdentityError(new Error('Out of memory'))).toMatchObject({
      code: 'internal-error',
      message: 'Out of memory',
    });
    expect(toIdentityError('odd')).toMatchObject({ code: 'internal-error', message: 'odd' });
  });

  test('only certain codes end the session', () => {
    expect(isEndedSession(firebaseError('auth/user-token-expired'))).toBe(true);
    expect(isEndedSession(firebaseError('auth/user-disabled'))).toBe(true);
    expect(isEndedSession(firebaseError('auth/network-request-failed'))).toBe(false);
    expect(isEndedSession(null)).toBe(false);
  });
});

/** A client with only the methods that the test calls. */
function aClient(methods: Partial<IdentityClient>): IdentityClient {
  const unexpected = () => Promise.reject(new Error('unexpected'));
  return {
    getCurrentUser: async () => amara,
    signUp: unexpected,
    signIn: unexpected,
    confirmSignIn: unexpected,
    signInWithGoogle: unexpected,
    requestPasswordReset: unexpected,
    getIdToken: async () => 'proof of Firebase',
    signOut: async () => {},
    ...methods,
  };
}

describe("Firebase's client", () => {
  test('is loaded once, on first use', async () => {
    const load = vi.fn(async () => aClient({}));
    const client = createFirebaseLoader(project, load);
    expect(load).not.toHaveBeenCalled();
    expect(await Promise.all([client.getCurrentUser(), client.getIdToken()])).toEqual([
      amara,
      'proof of Firebase',
    ]);
    expect(load).toHaveBeenCalledExactlyOnceWith(project);
  });

  test('reports offline if it fails to load, and retries', async () => {
    const load = vi
      .fn<() => Promise<IdentityClient>>()
      .mockRejectedValueOnce(new TypeError('Failed to fetch'));
    load.mockResolvedValue(aClient({}));
    const client = createFirebaseLoader(project, load);
    await expect(client.getCurrentUser()).rejects.toThrow(OfflineError);
    expect(await client.getCurrentUser()).toEqual(amara);
  });

  test('opens the popup within the click, once loaded', async () => {
    const signInWithGoogle = vi.fn(async () => amara);
    const client = createFirebaseLoader(project, async () => aClient({ signInWithGoogle }));
    await client.prepare?.();
    void client.signInWithGoogle();
    expect(signInWithGoogle).toHaveBeenCalledOnce();
  });

  test('gives the proof for new and renewed access tokens', async () => {
    localStorage.setItem('accessToken', 'ran out');
    const tab = new SessionStore(createFirebaseLoader(project, async () => aClient({})));
    expect(await tab.renewAccessToken('ran out')).toBe('a-new-token');
    const [request] = shop.getRequests(exchangeIdentity);
    expect(request?.headers.get('authorization')).toBe('Bearer proof of Firebase');
  });
});

test('only a page of a shop on Firebase names its project', () => {
  expect(readFirebaseProject()).toBeNull();
  const meta = document.createElement('meta');
  meta.name = 'firebase-project';
  meta.content = JSON.stringify(project);
  document.head.append(meta);
  expect(readFirebaseProject()).toEqual(project);
  meta.remove();
});

test('a hosted service’s reset starts on the same page', async () => {
  await openPage('/login', { selfService: false });
  expect(await screen.findByRole('link', { name: 'Forgot your password?' })).toHaveAttribute(
    'href',
    '/forgot-password',
  );
  await openPage('/forgot-password', { selfService: false });
  expect(await screen.findByRole('button', { name: 'Ask for a new password' })).toBeVisible();
});

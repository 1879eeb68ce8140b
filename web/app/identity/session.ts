import type { Given, Parsed } from '@parts-forge/contract/call';
import type { exchangeIdentity } from '@parts-forge/contract/identity';
import { useSyncExternalStore } from 'react';
import { answered, checked, reach, ShopProblem, SignedOutError } from '#app/errors/shop-problem.ts';
import { setAccountAttribute } from './account-attribute.ts';
import { embeddedIdentity as identity } from './embedded-identity.ts';
import type { Credentials, IdentityUser } from './identity-client.ts';

/**
 * Who is signed in, on this page (specification §4): loading until the identity service has been asked.
 * `ended` means that the sign-in ran out by itself; with `stay` the page keeps what was typed on it.
 */
export type SessionState =
  | { status: 'loading' }
  | { status: 'signed-out'; ended: boolean; stay: boolean }
  | { status: 'signed-in'; user: IdentityUser };

/** Where the access token is kept (specification §9). Nothing but this module and the mark in the head knows. */
const key = 'accessToken';
const signedOut: SessionState = { status: 'signed-out', ended: false, stay: false };
const loading: SessionState = { status: 'loading' };

let state: SessionState = loading;
let resolving: Promise<SessionState> | null = null;
let renewing: Promise<string> | null = null;
/** A sign-out still under way: a sign-in waits for it, or the service would end the new session. */
let leaving: Promise<unknown> = Promise.resolve();
/** Grows with every sign-out, so that a renewal that was under way does not bring the token back. */
let signOuts = 0;
let otherTabs: BroadcastChannel | undefined;
const listeners = new Set<() => void>();

/** The session, for components; `loading` on the server and until the service has answered. */
export function useSession(): SessionState {
  return useSyncExternalStore(follow, current, () => loading);
}

/** The session as it is known at this moment. */
export const current = (): SessionState => state;

/** Whether an access token is stored: without one nobody is signed in, and no service needs to be asked. */
export const hasAccessToken = (): boolean => storedToken() !== null;

/**
 * The session once it is known. Asks the identity service at most once at a time; may be called again after
 * a failure.
 * @throws IdentityError, OfflineError when the service did not answer
 */
export function ready(): Promise<SessionState> {
  if (state.status !== 'loading') return Promise.resolve(state);
  resolving ??= resolve().finally(() => {
    resolving = null;
  });
  return resolving;
}

/** @throws IdentityError with the service's words; ShopProblem, OfflineError when the shop did not follow */
export async function signIn(credentials: Credentials): Promise<void> {
  await leaving;
  await enter(await identity.signIn(credentials));
}

/** As `signIn`; to be called in the handler of the click itself. */
export async function signInWithGoogle(): Promise<void> {
  await enter(await identity.signInWithGoogle());
}

/**
 * Registers somebody with the identity service and with the shop, and leaves them signed out
 * (specification §2, "Sign Up page").
 * @throws IdentityError with the service's words; ShopProblem, OfflineError when the shop did not follow
 */
export async function signUp(person: Credentials & { name: string }): Promise<void> {
  await leaving;
  const user = await identity.signUp(person);
  try {
    await exchange(user);
  } finally {
    await signOut();
  }
}

/** Ends the sign-in here, in the other tabs, in the shop and at the identity service. */
export async function signOut(): Promise<void> {
  const token = storedToken();
  forget();
  publish(signedOut);
  otherTabs?.postMessage('signed-out');
  leaving = Promise.allSettled([token && endToken(token), identity.signOut()]);
  await leaving;
}

/** The stored access token. @throws SignedOutError when there is none */
export function accessToken(): string {
  const token = storedToken();
  if (token === null) throw new SignedOutError();
  return token;
}

/**
 * A living access token in place of a dead one, from the session at the identity service. However many calls
 * and tabs ask at once, one renewal is made.
 * @throws SignedOutError when that session is over too
 */
export function renew(dead: string): Promise<string> {
  renewing ??= oneTabAtATime(async () => {
    const stored = accessToken();
    if (stored !== dead) return stored;
    const user = state.status === 'signed-in' ? state.user : await identity.current();
    if (!user) throw new SignedOutError();
    return exchange(user);
  }).finally(() => {
    renewing = null;
  });
  return renewing;
}

/** The sign-in has run out and cannot be renewed. Other tabs find out by themselves, with their own next call. */
export function end(then: 'leave' | 'stay'): void {
  // Two calls end at once: the one that leaves wins, whichever came first.
  if (state.status === 'signed-out' && !state.stay) return;
  forget();
  publish({ status: 'signed-out', ended: true, stay: then === 'stay' });
}

/** Calls `listener` after every change of the session. */
export function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** As `subscribe`, for what is drawn. */
function follow(listener: () => void): () => void {
  // A page that failed is drawn anew from its root, without the head's script; so is the one after it.
  setAccountAttribute(state === loading ? hasAccessToken() : state.status === 'signed-in');
  return subscribe(listener);
}

async function resolve(): Promise<SessionState> {
  listenToOtherTabs();
  if (!hasAccessToken()) return publish(signedOut);
  const user = await identity.current();
  // Somebody may have signed in or out while the service was asked.
  if (state.status !== 'loading') return state;
  if (user) return publish({ status: 'signed-in', user });
  forget();
  return publish({ status: 'signed-out', ended: true, stay: false });
}

async function enter(user: IdentityUser): Promise<void> {
  try {
    await exchange(user);
  } catch (error) {
    // The shop refuses this person: no session may stay that this page knows nothing of.
    if (error instanceof ShopProblem) leaving = identity.signOut().catch(() => undefined);
    throw error;
  }
  listenToOtherTabs();
  publish({ status: 'signed-in', user });
  otherTabs?.postMessage('signed-in');
}

/**
 * Shows the shop the proof of identity and stores the access token it answers with (contract,
 * `PUT /user/{email}`). The call is written out here instead of made from its description: the bar of every
 * page needs this module, and the description would bring the validation library along.
 */
async function exchange(user: IdentityUser): Promise<string> {
  const before = signOuts;
  const proof = await identity.getIdToken();
  if (proof === null) throw new SignedOutError();
  const body: Given<typeof exchangeIdentity.body> = { email: user.email, name: user.displayName };
  const response = await reach(`/user/${encodeURIComponent(user.email)}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${proof}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (response.status === 401) throw new SignedOutError();
  const { token } = await answered<Parsed<typeof exchangeIdentity.answer>>(await checked(response));
  if (signOuts !== before) {
    void endToken(token);
    throw new SignedOutError();
  }
  localStorage.setItem(key, token);
  return token;
}

function endToken(token: string): Promise<Response> {
  return reach('/logout', {
    method: 'POST',
    keepalive: true,
    headers: { authorization: `Bearer ${token}` },
  });
}

function forget(): void {
  signOuts += 1;
  try {
    localStorage.removeItem(key);
  } catch {
    // Without storage there is nothing to remove.
  }
}

function storedToken(): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function publish(next: SessionState): SessionState {
  state = next;
  setAccountAttribute(next.status === 'signed-in');
  for (const listener of listeners) listener();
  return next;
}

function listenToOtherTabs(): void {
  if (otherTabs) return;
  otherTabs = new BroadcastChannel('session');
  // The tab that signed out has told the shop and the service; here only the page follows. Doing it again
  // would race with a new sign-in and end it.
  otherTabs.onmessage = ({ data }) => {
    if (data === 'signed-out') {
      signOuts += 1;
      publish(signedOut);
    } else {
      state = loading;
      void ready().catch(() => undefined);
    }
  };
}

function oneTabAtATime<Result>(work: () => Promise<Result>): Promise<Result> {
  // Only secure contexts have locks: http on another name than localhost renews once per tab.
  return navigator.locks ? navigator.locks.request('access-token', work) : work();
}

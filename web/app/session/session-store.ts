import { ShopProblem, SignedOutError } from '#app/http/errors.ts';
import { isStorageForbidden, readAccessToken, removeAccessToken, storeAccessToken } from './access-token.ts';
import { setAccountAttribute } from './account-attribute.ts';
import { exchangeIdentity, revokeAccessToken } from './exchange-identity.ts';
import type {
  Credentials,
  IdentityClient,
  IdentityUser,
  Registration,
  SecondFactorCode,
  SignInResult,
} from './identity-client.ts';
import { PopupClosedError } from './popup-closed-error.ts';
import { clearTab } from './tab-storage.ts';

/** Specification §4. `hasExpired`: the sign-in ran out. `keepsPage`: the page stays, with its input. */
export type SessionState =
  | { status: 'loading' }
  | { status: 'signed-out'; hasExpired: boolean; keepsPage: boolean }
  | { status: 'signed-in'; user: IdentityUser };

export const LOADING: SessionState = { status: 'loading' };
const SIGNED_OUT: SessionState = { status: 'signed-out', hasExpired: false, keepsPage: false };

/** Keeps state, access token and the identity service's session in step, also across tabs. */
export class SessionStore {
  readonly #identity: IdentityClient;
  readonly #listeners = new Set<() => void>();
  #state: SessionState = LOADING;
  #resolution: Promise<SessionState> | null = null;
  #renewal: Promise<string> | null = null;
  /** A sign-in waits for this, or the service would end the new session. */
  #signOut: Promise<unknown> = Promise.resolve();
  #signOutCount = 0;
  #otherTabs: BroadcastChannel | undefined;

  constructor(identity: IdentityClient) {
    this.#identity = identity;
  }

  getState(): SessionState {
    return this.#state;
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  hasAccessToken(): boolean {
    return readAccessToken() !== null;
  }

  /** Callable again after a failure. @throws IdentityError, OfflineError */
  resolve(): Promise<SessionState> {
    if (this.#state.status !== 'loading') return Promise.resolve(this.#state);
    this.#resolution ??= this.#askService().finally(() => {
      this.#resolution = null;
    });
    return this.#resolution;
  }

  /** `code-asked` requires `confirmSignIn` next. @throws IdentityError, ShopProblem, OfflineError */
  async signIn(credentials: Credentials): Promise<SignInResult['status']> {
    await this.#signOut;
    const result = await this.#identity.signIn(credentials);
    if (result.status === 'signed-in') await this.#enter(result.user);
    return result.status;
  }

  /** @throws like `signIn` */
  async confirmSignIn(code: SecondFactorCode): Promise<void> {
    await this.#enter(await this.#identity.confirmSignIn(code));
  }

  prepareSignIn(): void {
    this.#identity.prepare?.().catch(() => undefined);
  }

  /** @throws IdentityError, OfflineError */
  requestPasswordReset(email: string): Promise<string> {
    return this.#identity.requestPasswordReset(email);
  }

  /**
   * Call it directly in the click handler. @throws like `signIn`; PopupClosedError, after which it may
   * still succeed
   */
  async signInWithGoogle(): Promise<void> {
    const user = await this.#identity.signInWithGoogle().catch((error: unknown) => {
      if (error instanceof PopupClosedError) {
        void error.late.then((late) => this.#enter(late)).catch(() => undefined);
      }
      throw error;
    });
    await this.#enter(user);
  }

  /** Leaves the user signed out (specification §2, "Sign Up page"). @throws like `signIn` */
  async signUp(person: Registration): Promise<void> {
    await this.#signOut;
    const user = await this.#identity.signUp(person);
    try {
      await this.#exchange(user);
    } finally {
      await this.signOut();
    }
  }

  /** In all tabs, in the shop and at the identity service. */
  async signOut(): Promise<void> {
    const token = readAccessToken();
    clearTab();
    this.#forgetToken();
    this.#publish(SIGNED_OUT);
    this.#otherTabs?.postMessage('signed-out');
    this.#signOut = Promise.allSettled([token && revokeAccessToken(token), this.#identity.signOut()]);
    await this.#signOut;
  }

  /** @throws SignedOutError without a token */
  requireAccessToken(): string {
    const token = readAccessToken();
    if (token === null) throw new SignedOutError();
    return token;
  }

  /** Concurrent calls and tabs share one renewal. @throws SignedOutError */
  renewAccessToken(expired: string): Promise<string> {
    this.#renewal ??= inOneTabAtATime(async () => {
      const stored = this.requireAccessToken();
      if (stored !== expired) return stored;
      const state = this.#state;
      const user = state.status === 'signed-in' ? state.user : await this.#identity.getCurrentUser();
      if (!user) throw new SignedOutError();
      return this.#exchange(user);
    }).finally(() => {
      this.#renewal = null;
    });
    return this.#renewal;
  }

  /**
   * A new proof may show that the address is proven by now. False if the shop itself proves addresses.
   * @throws SignedOutError
   */
  async renewWithFreshProof(): Promise<boolean> {
    if (!this.#identity.sendVerificationMail || this.#state.status !== 'signed-in') return false;
    const { user } = this.#state;
    try {
      await inOneTabAtATime(() => this.#exchange(user, { fresh: true }));
    } catch (error) {
      if (error instanceof SignedOutError) this.expire('leave');
      throw error;
    }
    return true;
  }

  sendVerificationMail(): Promise<{ verified: boolean }> | null {
    return this.#identity.sendVerificationMail?.() ?? null;
  }

  /** Other tabs notice with their own next call. */
  expire(then: 'leave' | 'stay'): void {
    // `leave` wins over `stay` when two calls end together.
    if (this.#state.status === 'signed-out' && !this.#state.keepsPage) return;
    this.#forgetToken();
    this.#publish({ status: 'signed-out', hasExpired: true, keepsPage: then === 'stay' });
  }

  async #askService(): Promise<SessionState> {
    this.#listenToOtherTabs();
    if (!this.hasAccessToken()) {
      return isStorageForbidden() ? this.#restoreFromCookie() : this.#publish(SIGNED_OUT);
    }
    const user = await this.#identity.getCurrentUser();
    // The user may have signed in or out during the request.
    if (this.#state.status !== 'loading') return this.#state;
    if (user) return this.#publish({ status: 'signed-in', user });
    this.#forgetToken();
    return this.#publish({ status: 'signed-out', hasExpired: true, keepsPage: false });
  }

  /** Without storage, each page buys a token with the identity service's session. */
  async #restoreFromCookie(): Promise<SessionState> {
    const user = await this.#identity.getCurrentUser();
    if (this.#state.status !== 'loading') return this.#state;
    if (!user) return this.#publish(SIGNED_OUT);
    try {
      await this.#exchange(user);
    } catch (error) {
      if (!(error instanceof ShopProblem || error instanceof SignedOutError)) throw error;
      return this.#publish(SIGNED_OUT);
    }
    return this.#publish({ status: 'signed-in', user });
  }

  async #enter(user: IdentityUser): Promise<void> {
    try {
      await this.#exchange(user);
    } catch (error) {
      // The shop refuses this person, so no session may stay.
      if (error instanceof ShopProblem) this.#signOut = this.#identity.signOut().catch(() => undefined);
      throw error;
    }
    this.#listenToOtherTabs();
    this.#publish({ status: 'signed-in', user });
    this.#otherTabs?.postMessage('signed-in');
  }

  async #exchange(user: IdentityUser, options?: { fresh: boolean }): Promise<string> {
    const signOutsBefore = this.#signOutCount;
    const proof = await this.#identity.getIdToken(options);
    if (proof === null) throw new SignedOutError();
    const token = await exchangeIdentity(user, proof);
    if (this.#signOutCount !== signOutsBefore) {
      void revokeAccessToken(token);
      throw new SignedOutError();
    }
    storeAccessToken(token);
    return token;
  }

  #forgetToken(): void {
    this.#signOutCount += 1;
    removeAccessToken();
  }

  #publish(state: SessionState): SessionState {
    this.#state = state;
    setAccountAttribute(state.status === 'signed-in');
    for (const listener of this.#listeners) listener();
    return state;
  }

  #listenToOtherTabs(): void {
    if (this.#otherTabs) return;
    this.#otherTabs = new BroadcastChannel('session');
    // The other tab has notified shop and service; a repetition could end a new sign-in.
    this.#otherTabs.onmessage = ({ data }) => {
      if (data === 'signed-out') {
        this.#signOutCount += 1;
        clearTab();
        this.#publish(SIGNED_OUT);
      } else {
        this.#state = LOADING;
        void this.resolve().catch(() => undefined);
      }
    };
  }
}

function inOneTabAtATime<Result>(work: () => Promise<Result>): Promise<Result> {
  // Only secure contexts have locks; without them each tab renews.
  return navigator.locks ? navigator.locks.request('access-token', work) : work();
}

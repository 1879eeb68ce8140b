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

/**
 * Who is signed in, on this page (specification §4): loading until the identity service has been asked.
 * `hasExpired` means that the sign-in ran out by itself; with `keepsPage` the page stays, with what was typed on it.
 */
export type SessionState =
  | { status: 'loading' }
  | { status: 'signed-out'; hasExpired: boolean; keepsPage: boolean }
  | { status: 'signed-in'; user: IdentityUser };

/** Of every page at first, and of what the server renders. */
export const LOADING: SessionState = { status: 'loading' };
const SIGNED_OUT: SessionState = { status: 'signed-out', hasExpired: false, keepsPage: false };

/**
 * The session of one page: its state, the access token in the browser's storage, and the session at the identity
 * service, kept in step with each other and with the shop's other tabs.
 */
export class SessionStore {
  readonly #identity: IdentityClient;
  readonly #listeners = new Set<() => void>();
  #state: SessionState = LOADING;
  #resolution: Promise<SessionState> | null = null;
  #renewal: Promise<string> | null = null;
  /** A sign-out still under way: a sign-in waits for it, or the service would end the new session. */
  #signOut: Promise<unknown> = Promise.resolve();
  /** Grows with every sign-out, so that a renewal that was under way does not bring the token back. */
  #signOutCount = 0;
  #otherTabs: BroadcastChannel | undefined;

  constructor(identity: IdentityClient) {
    this.#identity = identity;
  }

  /** The session as it is known at this moment. */
  getState(): SessionState {
    return this.#state;
  }

  /** Calls `listener` after every change of the session. Returns how to stop. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Whether an access token is stored: without one nobody is signed in, and no service needs to be asked. */
  hasAccessToken(): boolean {
    return readAccessToken() !== null;
  }

  /**
   * The session once it is known. Asks the identity service at most once at a time; may be called again after
   * a failure.
   * @throws IdentityError, OfflineError when the service did not answer
   */
  resolve(): Promise<SessionState> {
    if (this.#state.status !== 'loading') return Promise.resolve(this.#state);
    this.#resolution ??= this.#askService().finally(() => {
      this.#resolution = null;
    });
    return this.#resolution;
  }

  /**
   * Signs in, unless the service asks for a code next, to be given to `confirmSignIn`.
   * @throws IdentityError with the service's words; ShopProblem, OfflineError when the shop did not follow
   */
  async signIn(credentials: Credentials): Promise<SignInResult['status']> {
    await this.#signOut;
    const result = await this.#identity.signIn(credentials);
    if (result.status === 'signed-in') await this.#enter(result.user);
    return result.status;
  }

  /** The second step of a sign-in. @throws as `signIn` */
  async confirmSignIn(code: SecondFactorCode): Promise<void> {
    await this.#enter(await this.#identity.confirmSignIn(code));
  }

  /** Has what a sign-in will need loaded. What fails here fails again, and is said, when somebody signs in. */
  prepareSignIn(): void {
    this.#identity.prepare?.().catch(() => undefined);
  }

  /** Asks for a new password. @returns what happens next @throws IdentityError, OfflineError */
  requestPasswordReset(email: string): Promise<string> {
    return this.#identity.requestPasswordReset(email);
  }

  /**
   * As `signIn`; to be called in the handler of the click itself.
   * @throws PopupClosedError, after which the sign-in may still come
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

  /**
   * Registers somebody with the identity service and with the shop, and leaves them signed out
   * (specification §2, "Sign Up page").
   * @throws IdentityError with the service's words; ShopProblem, OfflineError when the shop did not follow
   */
  async signUp(person: Registration): Promise<void> {
    await this.#signOut;
    const user = await this.#identity.signUp(person);
    try {
      await this.#exchange(user);
    } finally {
      await this.signOut();
    }
  }

  /** Ends the sign-in here, in the other tabs, in the shop and at the identity service. */
  async signOut(): Promise<void> {
    const token = readAccessToken();
    clearTab();
    this.#forgetToken();
    this.#publish(SIGNED_OUT);
    this.#otherTabs?.postMessage('signed-out');
    this.#signOut = Promise.allSettled([token && revokeAccessToken(token), this.#identity.signOut()]);
    await this.#signOut;
  }

  /** The stored access token. @throws SignedOutError when there is none */
  requireAccessToken(): string {
    const token = readAccessToken();
    if (token === null) throw new SignedOutError();
    return token;
  }

  /**
   * A living access token in place of one that ran out, from the session at the identity service. However many
   * calls and tabs ask at once, one renewal is made.
   * @throws SignedOutError when that session is over too
   */
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
   * Buys another access token with a proof made now, in which an address is proven that was proven meanwhile.
   * @returns false, with nothing done, where the shop itself knows who has proven their address
   * @throws SignedOutError when the session at the service is over
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

  /** Has the identity service mail the link that proves the address; null where the shop mails it. */
  sendVerificationMail(): Promise<{ verified: boolean }> | null {
    return this.#identity.sendVerificationMail?.() ?? null;
  }

  /** The sign-in has run out and cannot be renewed. Other tabs find out by themselves, with their own next call. */
  expire(then: 'leave' | 'stay'): void {
    // When two calls end at once the one that leaves wins, whichever came first.
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
    // Somebody may have signed in or out while the service was asked.
    if (this.#state.status !== 'loading') return this.#state;
    if (user) return this.#publish({ status: 'signed-in', user });
    this.#forgetToken();
    return this.#publish({ status: 'signed-out', hasExpired: true, keepsPage: false });
  }

  /** Where the browser stores no access token, the session at the identity service buys one for each page. */
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
      // The shop refuses this person: no session may stay that this page knows nothing of.
      if (error instanceof ShopProblem) this.#signOut = this.#identity.signOut().catch(() => undefined);
      throw error;
    }
    this.#listenToOtherTabs();
    this.#publish({ status: 'signed-in', user });
    this.#otherTabs?.postMessage('signed-in');
  }

  /** Turns the session at the identity service into an access token of the shop, and stores that. */
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
    // The tab that signed out has told the shop and the service; here only the page follows. Doing it again
    // would race with a new sign-in and end it.
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
  // Only secure contexts have locks: http on another name than localhost renews once per tab.
  return navigator.locks ? navigator.locks.request('access-token', work) : work();
}

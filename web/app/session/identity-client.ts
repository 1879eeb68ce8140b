/** Somebody as the identity service knows them. */
export interface IdentityUser {
  /** The account's at the service; says nothing about the person. */
  id: string;
  email: string;
  /** Null when the service has no name for them. */
  displayName: string | null;
}

export interface Credentials {
  email: string;
  password: string;
}

export interface Registration extends Credentials {
  name: string;
}

/** What came of a right email and password: where a second factor is switched on, its code is asked next. */
export type SignInResult = { status: 'signed-in'; user: IdentityUser } | { status: 'code-asked' };

/** The second factor: a code of the authenticator app, or one of the backup codes in its place. */
export interface SecondFactorCode {
  kind: 'time' | 'backup';
  code: string;
}

/**
 * The identity service in our words: the embedded one (`embedded-identity.ts`) or Firebase (`firebase-identity.ts`),
 * whichever the shop is set up with. Every method throws `IdentityError` when the service refuses and
 * `OfflineError` when it cannot be reached.
 */
export interface IdentityClient {
  /**
   * Loads what a sign-in will need, so that a popup can follow its click at once. Absent where nothing has to be
   * loaded; signing in does not depend on it.
   */
  prepare?(): Promise<void>;
  /** Who has a session at the service now; null for nobody. Asks the service each time. */
  getCurrentUser(): Promise<IdentityUser | null>;
  /** Creates the account and opens a session. */
  signUp(person: Registration): Promise<IdentityUser>;
  /** Opens a session, unless a code is asked next. */
  signIn(credentials: Credentials): Promise<SignInResult>;
  /** Gives the code that `signIn` asked for, and opens the session. */
  confirmSignIn(code: SecondFactorCode): Promise<IdentityUser>;
  /** Must be called in the handler of the click itself: a popup needs the gesture. */
  signInWithGoogle(): Promise<IdentityUser>;
  /**
   * Asks for a new password for an account, whoever's it is.
   * @returns what happens next: the same for every address
   */
  requestPasswordReset(email: string): Promise<string>;
  /**
   * The signed proof of the session's identity; null when there is no session any more.
   * @param options.fresh made now: a service outside the shop gives the same proof for up to an hour, with what was
   *   true when it was made
   */
  getIdToken(options?: { fresh: boolean }): Promise<string | null>;
  /**
   * Mails whoever is signed in the link that proves their address, unless it is proven. Absent where the shop mails it.
   */
  sendVerificationMail?(): Promise<{ verified: boolean }>;
  /** Ends the session at the service. Harmless without one. */
  signOut(): Promise<void>;
}

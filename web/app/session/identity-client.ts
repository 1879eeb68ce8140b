export interface IdentityUser {
  /** Id of the account at the service, not of the person. */
  id: string;
  email: string;
  /** Null if the service has no name. */
  displayName: string | null;
}

export interface Credentials {
  email: string;
  password: string;
}

export interface Registration extends Credentials {
  name: string;
}

/** `code-asked`: a second factor is on. */
export type SignInResult = { status: 'signed-in'; user: IdentityUser } | { status: 'code-asked' };

/** A code of the authenticator app, or a backup code. */
export interface SecondFactorCode {
  kind: 'time' | 'backup';
  code: string;
}

/**
 * The identity service: embedded (`embedded-identity.ts`) or Firebase (`firebase-identity.ts`). Every method
 * throws `IdentityError` when the service refuses and `OfflineError` when it is unreachable.
 */
export interface IdentityClient {
  /** Loads the code for a sign-in, so that a popup can follow its click at once. Optional. */
  prepare?(): Promise<void>;
  /** Asks the service each time; null without a session. */
  getCurrentUser(): Promise<IdentityUser | null>;
  /** Creates the account and opens a session. */
  signUp(person: Registration): Promise<IdentityUser>;
  signIn(credentials: Credentials): Promise<SignInResult>;
  /** Opens the session with the code that `signIn` requires. */
  confirmSignIn(code: SecondFactorCode): Promise<IdentityUser>;
  /** Call it directly in the click handler: a popup needs the gesture. */
  signInWithGoogle(): Promise<IdentityUser>;
  /** @returns the next steps, the same for every address */
  requestPasswordReset(email: string): Promise<string>;
  /**
   * The session's signed proof; null without a session.
   * @param options.fresh issues a new proof: a hosted service otherwise repeats one for up to an hour
   */
  getIdToken(options?: { fresh: boolean }): Promise<string | null>;
  /** Mails the user a link that proves their address, unless it is proven. Absent if the shop mails it. */
  sendVerificationMail?(): Promise<{ verified: boolean }>;
  /** Repeatable. */
  signOut(): Promise<void>;
}

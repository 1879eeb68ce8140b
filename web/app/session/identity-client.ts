export interface IdentityUser {
  id: string;
  email: string;
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

export interface SecondFactorCode {
  kind: 'time' | 'backup';
  code: string;
}

/** Every method throws `IdentityError` and `OfflineError`. */
export interface IdentityClient {
  /** A popup can then follow its click at once. */
  prepare?(): Promise<void>;
  /** Asks the service each time. */
  getCurrentUser(): Promise<IdentityUser | null>;
  signUp(person: Registration): Promise<IdentityUser>;
  signIn(credentials: Credentials): Promise<SignInResult>;
  confirmSignIn(code: SecondFactorCode): Promise<IdentityUser>;
  /** Call it directly in the click handler: a popup needs the gesture. */
  signInWithGoogle(): Promise<IdentityUser>;
  /** The next steps, the same for every address. */
  requestPasswordReset(email: string): Promise<string>;
  /** @param options.fresh a hosted service otherwise repeats a proof for up to an hour */
  getIdToken(options?: { fresh: boolean }): Promise<string | null>;
  /** Absent if the shop mails the link. `verified`: proven already. */
  sendVerificationMail?(): Promise<{ verified: boolean }>;
  signOut(): Promise<void>;
}

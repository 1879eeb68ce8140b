import type { UserData } from '@parts-forge/contract/accounts';
import type { PageConfig } from '@parts-forge/contract/identity';
import type { FastifyInstance } from 'fastify';
import type { Executor } from '#src/platform/database/connection.ts';

/** What an identity service has proven about somebody. */
export interface VerifiedIdentity {
  issuer: string;
  subject: string;
  /** In lower case. */
  email: string;
  /** The service has proven that the address is this person's. */
  emailVerified: boolean;
  name: string | null;
  /** The service's session that the proof comes from; null where the service does not say. */
  sessionId: string | null;
  /** When the person signed in, in seconds since 1970. */
  authTime: number;
}

/** An account at the service, and the user of the shop who is bound to it. */
export interface BoundIdentity {
  issuer: string;
  subject: string;
  userId: string;
}

/** A session of the service that is open. */
export interface OpenSession {
  expiresAt: Date;
  /** It was opened with a code of the second factor, too. */
  secondFactor: boolean;
}

/** What the service keeps about an account, for the person themselves. */
export type AccountData = Pick<UserData['signIn'], 'google' | 'secondFactor' | 'sessions'>;

/** How a link for a new password gets to its owner. */
export type ResetDelivery = 'handed-over' | 'mailed';

/** The identity service in our words; embedded or hosted, chosen by configuration. */
export interface IdentityProvider {
  /**
   * What a signed token proves.
   * @throws Problem `identity-invalid` for a token that is forged, expired, or another service's; `identity-revoked`
   *   for an account that its service has ended; `unavailable` when a service outside the shop cannot be asked
   */
  verify(idToken: string): Promise<VerifiedIdentity>;
  /**
   * Ends every session and removes the account with its password. Harmless when there is none. A service inside
   * the shop's database does it within `tx`, so that a person is gone everywhere or nowhere; for one outside the shop
   * `tx` only notes that it has to be done (`hosted-deletions.ts`).
   */
  deleteIdentity(identity: BoundIdentity, tx: Executor): Promise<void>;
  /**
   * Deletes an account at a service outside the shop, now. Harmless to repeat. Absent for the embedded service, and
   * where the shop may not delete.
   */
  deleteHostedAccount?(subject: string): Promise<void>;
  /**
   * Makes the address the account of whoever knows `password`: proven, with every older password and session
   * gone. Absent for a service outside the shop; there the address is proven by signing in.
   */
  takeOver?(
    person: { email: string; name: string; password: string },
    tx: Executor,
  ): Promise<{ issuer: string; subject: string }>;
  /**
   * The session of a proof, which cannot end before `tx` does; null when it has ended. Absent for a service outside the
   * shop, whose sessions are its own matter.
   */
  findSession?(sessionId: string, tx: Executor): Promise<OpenSession | null>;
  /** Ends one session, and with it the access tokens that were bought from it. Harmless when there is none. */
  endSession?(sessionId: string, tx: Executor): Promise<void>;
  /**
   * Makes a link that sets one new password, in place of an earlier one; null when there is no such account. One that is
   * mailed proves the address when it is used. Absent for a service outside the shop.
   */
  createResetLink?(subject: string, delivery: ResetDelivery, tx: Executor): Promise<string | null>;
  /**
   * Makes a link whose secret `proveAddress` takes, in place of an earlier one; null when there is no such account.
   * Absent for a service outside the shop, which proves addresses itself.
   */
  createVerificationLink?(subject: string, tx: Executor): Promise<string | null>;
  /** Proves the account's address; false for a secret that is not its link's, or no longer. */
  proveAddress?(subject: string, token: string, tx: Executor): Promise<boolean>;
  /** What is kept about an account; null when there is none. Absent for a service outside the shop. */
  readAccount?(subject: string, db: Executor): Promise<AccountData | null>;
  /** Removes what has run out, where the service keeps it in the shop's database. Run hourly. */
  purgeExpired?(): Promise<void>;
  /** The service's own routes where it runs inside the shop (`/identity/…`). */
  routes?(app: FastifyInstance): Promise<void>;
  readonly pageConfig: PageConfig['identity'];
  /** For `/readyz`. @throws the reason why nobody could sign in at this moment */
  assertReady(): Promise<void>;
}

import type { UserData } from '@parts-forge/contract/accounts';
import type { PageConfig } from '@parts-forge/contract/identity';
import type { FastifyInstance } from 'fastify';
import type { Executor } from '#src/platform/database/connection.ts';

/** A person's identity, proven by an identity service. */
export interface VerifiedIdentity {
  issuer: string;
  subject: string;
  /** In lower case. */
  email: string;
  /** Whether the service has proven that the address is this person's. */
  emailVerified: boolean;
  name: string | null;
  /** The service's session behind the proof; null if the service does not say. */
  sessionId: string | null;
  /** Time of the sign-in, in seconds since 1970. */
  authTime: number;
}

/** An account at the service, and the shop's user bound to it. */
export interface BoundIdentity {
  issuer: string;
  subject: string;
  userId: string;
}

/** An open session of the service. */
export interface OpenSession {
  expiresAt: Date;
  /** Opened with a second-factor code. */
  secondFactor: boolean;
}

/** The service's data about an account, for the person themselves. */
export type AccountData = Pick<UserData['signIn'], 'google' | 'secondFactor' | 'sessions'>;

/** How a reset link reaches its owner. */
export type ResetDelivery = 'handed-over' | 'mailed';

/** The identity service, embedded or hosted by configuration. */
export interface IdentityProvider {
  /**
   * Checks a signed token.
   * @throws Problem `identity-invalid` for a token that is forged, expired or another service's;
   *   `identity-revoked` for an account that has ended; `unavailable` when a hosted service cannot be asked
   */
  verify(idToken: string): Promise<VerifiedIdentity>;
  /**
   * Deletes the account with its password and sessions. No-op if there is none. The embedded service deletes
   * within `tx`; for a hosted service `tx` only records the task (`hosted-deletions.ts`).
   */
  deleteIdentity(identity: BoundIdentity, tx: Executor): Promise<void>;
  /**
   * Deletes an account at a hosted service, now. Repeatable. Absent for the embedded service, and if the shop
   * may not delete.
   */
  deleteHostedAccount?(subject: string): Promise<void>;
  /**
   * Gives the address to the holder of `password`: proven, without older passwords and sessions. Absent for a
   * hosted service, where signing in proves the address.
   */
  takeOver?(
    person: { email: string; name: string; password: string },
    tx: Executor,
  ): Promise<{ issuer: string; subject: string }>;
  /** The session of a proof, locked until `tx` ends; null if it has ended. Absent for a hosted service. */
  findSession?(sessionId: string, tx: Executor): Promise<OpenSession | null>;
  /** Ends one session and its access tokens. No-op if there is none. */
  endSession?(sessionId: string, tx: Executor): Promise<void>;
  /**
   * Creates a link that sets one new password and replaces an earlier link; null if there is no such account.
   * A mailed one proves the address on use. Absent for a hosted service.
   */
  createResetLink?(subject: string, delivery: ResetDelivery, tx: Executor): Promise<string | null>;
  /**
   * Creates a link whose secret `proveAddress` takes, and replaces an earlier link; null if there is no such
   * account. Absent for a hosted service, which proves addresses itself.
   */
  createVerificationLink?(subject: string, tx: Executor): Promise<string | null>;
  /** Proves the account's address; false for a wrong or outdated secret. */
  proveAddress?(subject: string, token: string, tx: Executor): Promise<boolean>;
  /** The account's data; null if there is none. Absent for a hosted service. */
  readAccount?(subject: string, db: Executor): Promise<AccountData | null>;
  /** Deletes the service's expired rows in the shop's database. Runs hourly. */
  purgeExpired?(): Promise<void>;
  /** Routes of the embedded service (`/identity/…`). */
  routes?(app: FastifyInstance): Promise<void>;
  readonly pageConfig: PageConfig['identity'];
  /** For `/readyz`. @throws the reason why nobody can sign in now */
  assertReady(): Promise<void>;
}

import type { UserData } from '@parts-forge/contract/accounts';
import type { PageConfig } from '@parts-forge/contract/identity';
import type { FastifyInstance } from 'fastify';
import type { Executor } from '#src/platform/database/connection.ts';

export interface VerifiedIdentity {
  issuer: string;
  subject: string;
  /** In lower case. */
  email: string;
  emailVerified: boolean;
  name: string | null;
  /** Null if the service has no sessions of its own to name. */
  sessionId: string | null;
  /** In seconds since 1970. */
  authTime: number;
}

/** An account at the service, and its user of the shop. */
export interface BoundIdentity {
  issuer: string;
  subject: string;
  userId: string;
}

export interface OpenSession {
  expiresAt: Date;
  /** Opened with a second-factor code. */
  secondFactor: boolean;
}

/** The person's own copy of the service's data. */
export type AccountData = Pick<UserData['signIn'], 'google' | 'secondFactor' | 'sessions'>;

export type ResetDelivery = 'handed-over' | 'mailed';

/** The identity service, embedded or hosted by configuration. */
export interface IdentityProvider {
  /**
   * @throws Problem `identity-invalid` for a token that is forged, expired or another service's;
   *   `identity-revoked` for an ended account; `unavailable` when a hosted service cannot be asked
   */
  verify(idToken: string): Promise<VerifiedIdentity>;
  /**
   * Deletes the account, its password and its sessions; repeatable. For a hosted service `tx` only records
   * the task (`hosted-deletions.ts`).
   */
  deleteIdentity(identity: BoundIdentity, tx: Executor): Promise<void>;
  /** Repeatable. Absent for the embedded service, and if the shop may not delete. */
  deleteHostedAccount?(subject: string): Promise<void>;
  /**
   * Gives the address to the holder of `password`: proven, without older passwords and sessions. Absent for a
   * hosted service, where signing in proves the address.
   */
  takeOver?(
    person: { email: string; name: string; password: string },
    tx: Executor,
  ): Promise<{ issuer: string; subject: string }>;
  /** Locks the session until `tx` ends; null if it has ended. Absent for a hosted service. */
  findSession?(sessionId: string, tx: Executor): Promise<OpenSession | null>;
  /** Ends a session and its access tokens; repeatable. */
  endSession?(sessionId: string, tx: Executor): Promise<void>;
  /**
   * A link that sets one new password and replaces an earlier link; null without such an account. A mailed
   * one also proves the address. Absent for a hosted service.
   */
  createResetLink?(subject: string, delivery: ResetDelivery, tx: Executor): Promise<string | null>;
  /**
   * A link for `proveAddress`, which replaces an earlier one; null without such an account. Absent for a
   * hosted service, which proves addresses itself.
   */
  createVerificationLink?(subject: string, tx: Executor): Promise<string | null>;
  /** False for a wrong or outdated token. */
  proveAddress?(subject: string, token: string, tx: Executor): Promise<boolean>;
  /** Null without such an account. Absent for a hosted service. */
  readAccount?(subject: string, db: Executor): Promise<AccountData | null>;
  /** Deletes expired rows in the shop's database. Runs hourly. */
  purgeExpired?(): Promise<void>;
  /** The embedded service's routes (`/identity/…`). */
  routes?(app: FastifyInstance): Promise<void>;
  readonly pageConfig: PageConfig['identity'];
  /** For `/readyz`. @throws the reason why nobody can sign in now */
  assertReady(): Promise<void>;
}

import type { UserData } from '@parts-forge/contract/people/accounts';
import type { PageConfig } from '@parts-forge/contract/people/identity';
import type { FastifyInstance } from 'fastify';
import type { Executor } from '#src/platform/database/connection.ts';

export interface VerifiedIdentity {
  issuer: string;
  subject: string;
  email: string;
  emailVerified: boolean;
  name: string | null;
  sessionId: string | null;
  /** Unix time in seconds of the sign-in. */
  authTime: number;
}

export interface BoundIdentity {
  issuer: string;
  subject: string;
  userId: string;
}

export interface OpenSession {
  expiresAt: Date;
  secondFactor: boolean;
}

export type AccountData = Pick<UserData['signIn'], 'google' | 'secondFactor' | 'sessions'>;

export type ResetDelivery = 'handed-over' | 'mailed';

/** A hosted service lacks all optional methods except `deleteHostedAccount` and `routes`. */
export interface IdentityProvider {
  /**
   * @throws Problem `identity-invalid` for a token that is forged, expired or another service's;
   * `identity-revoked` for an ended account; `unavailable`
   */
  verify(idToken: string): Promise<VerifiedIdentity>;
  /** Repeatable. For a hosted service `tx` only records the task (`hosted-deletions.ts`). */
  deleteIdentity(identity: BoundIdentity, tx: Executor): Promise<void>;
  /** Repeatable. Also absent if the shop may not delete. */
  deleteHostedAccount?(subject: string): Promise<void>;
  /** Gives the proven address to the holder of `password`, without older passwords and sessions. */
  takeOver?(
    person: { email: string; name: string; password: string },
    tx: Executor,
  ): Promise<{ issuer: string; subject: string }>;
  /** Locks the session until `tx` ends; null if it has ended. */
  findSession?(sessionId: string, tx: Executor): Promise<OpenSession | null>;
  /** Ends its access tokens too; repeatable. */
  endSession?(sessionId: string, tx: Executor): Promise<void>;
  /**
   * Sets one new password and replaces an earlier link; null without such an account. A mailed one also
   * proves the address.
   */
  createResetLink?(subject: string, delivery: ResetDelivery, tx: Executor): Promise<string | null>;
  /** Replaces an earlier link; null without such an account. */
  createVerificationLink?(subject: string, tx: Executor): Promise<string | null>;
  proveAddress?(subject: string, token: string, tx: Executor): Promise<boolean>;
  readAccount?(subject: string, db: Executor): Promise<AccountData | null>;
  purgeExpired?(): Promise<void>;
  routes?(app: FastifyInstance): Promise<void>;
  readonly pageConfig: PageConfig['identity'];
  /** For `/readyz`. @throws the reason why nobody can sign in */
  assertReady(): Promise<void>;
}

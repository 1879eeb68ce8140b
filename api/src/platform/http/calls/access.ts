import { RECENT_SIGN_IN_SECONDS } from '@parts-forge/contract/calls/bounds';
import type { Call } from '@parts-forge/contract/calls/call';
import {
  type Caller,
  needsAccessToken,
  type Policy,
  policies,
  type Role,
  refuseByOwner,
  refuseByRole,
  type Scope,
} from '@parts-forge/contract/calls/policies';
import { sameEmail } from '@parts-forge/contract/text/text';
import type { FastifyRequest } from 'fastify';
import { Problem } from '#src/platform/core/problem.ts';
import type { ChangeFeed } from '#src/platform/database/change-feed.ts';
import type { Executor } from '#src/platform/database/connection.ts';

declare const checked: unique symbol;

/** Created only here, after a check of the access token. */
export interface Actor {
  readonly [checked]: true;
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  /** Null: unknown, so not recent. */
  readonly signedInAt: Date | null;
  readonly lacksSecondFactor: boolean;
  readonly tokenHash: Buffer;
  /** Null for a person's own sign-in. */
  readonly key: { readonly id: string; readonly scopes: readonly Scope[] } | null;
  /**
   * Begins the transaction of an act: reads token or key, role, scopes and second factor again, and locks
   * the person and the token until it ends. So one person's acts come one after the other.
   * @throws Problem as `authorize`; `sign-in-needed` for another role than before
   */
  confirm(tx: Executor): Promise<void>;
}
export type Customer = Actor & { readonly role: 'user' };
export type Administrator = Actor & { readonly role: 'admin' };

export type ActorOf<Who extends Caller> = Who extends 'user'
  ? Customer
  : Who extends 'admin'
    ? Administrator
    : Who extends 'signed-in'
      ? Actor
      : null;

type TokenOwner = Omit<Actor, typeof checked | 'confirm'>;
type Rights = Pick<Actor, 'role' | 'lacksSecondFactor' | 'key'>;

/** Reads role and existence again for every request. */
export interface TokenLookup {
  findOwner(token: string): Promise<TokenOwner | null>;
  /** Uncached; locks the person's row, then the token's, until the transaction ends. */
  lockRights(tx: Executor, tokenHash: Buffer): Promise<Rights | null>;
  /** Returns a key's scopes; null once it has ended, which waits for the transaction. */
  findScopes(id: string, tx?: Executor): Promise<readonly Scope[] | null>;
}

export function bearerToken(request: FastifyRequest): string | null {
  const match = request.headers.authorization?.match(/^Bearer ([\w\-.~+/]+=*)$/i);
  return match?.[1] ?? null;
}

/**
 * Null where the call needs no access token.
 * @throws Problem `sign-in-needed`; `not-for-keys`, `scope-missing`; `admin-needed`, `customers-only`;
 *   `second-factor-required`
 */
export async function authorize<Who extends Caller>(
  request: FastifyRequest,
  { policy }: { policy: Policy<Who> },
  tokens: TokenLookup,
): Promise<ActorOf<Who>> {
  if (!needsAccessToken(policy.who)) return null as ActorOf<Who>;
  const token = bearerToken(request);
  const namesOwner = (request.query as { email?: unknown }).email !== undefined;
  const requireRights = <Owner extends Rights>(owner: Owner | null): Owner => {
    if (owner) requireScopeOf(policy, owner);
    const refusal = refuseByRole(policy, owner?.role ?? null, namesOwner, owner?.lacksSecondFactor);
    if (refusal !== null && refusal !== 'sign-in-needed') throw new Problem(refusal);
    if (owner === null) throw new Problem('sign-in-needed', token === null ? {} : { detail: ENDED });
    return owner;
  };
  const owner = requireRights(token === null ? null : await tokens.findOwner(token));
  const confirm = async (tx: Executor) => {
    const { role, lacksSecondFactor } = requireRights(await tokens.lockRights(tx, owner.tokenHash));
    const isSame = role === owner.role && lacksSecondFactor === owner.lacksSecondFactor;
    if (!isSame) throw new Problem('sign-in-needed', { detail: ENDED });
  };
  return { ...owner, confirm } as unknown as ActorOf<Who>;
}

const ENDED = 'This sign-in or key has ended, or is none';

/** A transaction in which the caller still has the right. @throws Problem as `Actor.confirm` */
export const actAs = <Done>(
  changes: Pick<ChangeFeed, 'write'>,
  actor: Pick<Actor, 'confirm'>,
  work: Parameters<typeof changes.write<Done>>[0],
): Promise<Done> =>
  changes.write(async (tx, changed) => {
    await actor.confirm(tx);
    return work(tx, changed);
  });

/**
 * For a part of a call, such as the rows of a file; `authorize` checks the call itself.
 * @throws Problem `not-for-keys`, `scope-missing`
 */
export function requireScopeOf(policy: Pick<Policy, 'scopes'>, actor: Pick<Actor, 'key'>): void {
  if (hasScopeOf(policy, actor)) return;
  const { scopes } = policy;
  if (!scopes) throw new Problem('not-for-keys');
  throw new Problem('scope-missing', {
    detail: `This key lacks the scope ${scopes.join(' or ')}`,
    scope: scopes.join(' '),
  });
}

const hasScopeOf = ({ scopes }: Pick<Policy, 'scopes'>, { key }: Pick<Actor, 'key'>): boolean =>
  key === null || scopes?.some((scope) => key.scopes.includes(scope)) === true;

/** Names, orders and notes of others are for people, and for keys that read orders. */
export const seesOthers = (actor: Pick<Actor, 'key'>): boolean => hasScopeOf(policies.listOrders, actor);

/** @throws Problem `sign-in-again` */
export function requireRecentSignIn({ signedInAt }: Pick<Actor, 'signedInAt'>, now: Date): void {
  const recentMs = now.getTime() - RECENT_SIGN_IN_SECONDS * 1000;
  if (signedInAt === null || signedInAt.getTime() < recentMs) throw new Problem('sign-in-again');
}

/**
 * docs/reference/calls.md.
 * @throws Problem `not-yours`, or `not-found` to hide another's; `second-factor-required`
 */
export function requireOwner(
  { policy }: Pick<Call, 'policy'>,
  actor: Pick<Actor, 'role' | 'lacksSecondFactor'>,
  isOwner: boolean,
): void {
  const refusal = refuseByOwner(policy, actor.role, isOwner, actor.lacksSecondFactor);
  if (refusal !== null) throw new Problem(refusal);
}

/**
 * The order, once its owner is checked.
 * @throws Problem `not-found`, and those of `requireOwner`
 */
export function requireOwnOrder<Order extends { userId: string }>(
  call: Pick<Call, 'policy'>,
  actor: Pick<Actor, 'role' | 'lacksSecondFactor' | 'userId'>,
  order: Order | null,
): Order {
  if (order === null) throw new Problem('not-found');
  requireOwner(call, actor, order.userId === actor.userId);
  return order;
}

/** Case-insensitive. @throws Problem `not-yours` */
export const requireOwnEmail = (call: Pick<Call, 'policy'>, actor: Actor, email: string): void =>
  requireOwner(call, actor, sameEmail(actor.email, email));

import type { Call } from '@parts-forge/contract/call';
import {
  type Caller,
  needsAccessToken,
  type Policy,
  type Role,
  refuseByOwner,
  refuseByRole,
} from '@parts-forge/contract/policies';
import { sameEmail } from '@parts-forge/contract/text';
import type { FastifyRequest } from 'fastify';
import { Problem } from '#src/platform/core/problem.ts';

declare const checked: unique symbol;

/** Somebody whose access token was checked for this very request. Made here alone, so a function that takes one cannot be called unchecked. */
export interface Actor {
  readonly [checked]: true;
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  /** When the person gave their password; null: unknown, so not lately. */
  readonly signedInAt: Date | null;
  /** An administrator who signed in without the second factor that the shop asks for. */
  readonly lacksSecondFactor: boolean;
  /** SHA-256 of the access token, to end it at logout. */
  readonly tokenHash: Buffer;
}
export type Customer = Actor & { readonly role: 'user' };
export type Administrator = Actor & { readonly role: 'admin' };

/** The actor of a call by who may make it. */
export type ActorOf<Who extends Caller> = Who extends 'user'
  ? Customer
  : Who extends 'admin'
    ? Administrator
    : Who extends 'signed-in'
      ? Actor
      : null;

/** What the token check needs of the identity side: role and existence are read anew for every request. */
export interface TokenLookup {
  /** The person behind an access token as they are now; null for an unknown or ended token. */
  findOwner(token: string): Promise<Omit<Actor, typeof checked> | null>;
}

/** The token of `Authorization: Bearer …`; null when there is none. */
export function bearerToken(request: FastifyRequest): string | null {
  const match = request.headers.authorization?.match(/^Bearer ([\w\-.~+/]+=*)$/i);
  return match?.[1] ?? null;
}

/**
 * Who makes the call; null where it asks for no access token.
 * @throws Problem `sign-in-needed` without a living token; `admin-needed`, `customers-only` for the wrong role;
 *   `second-factor-required`
 */
export async function authorize<Who extends Caller>(
  request: FastifyRequest,
  { policy }: { policy: Policy<Who> },
  tokens: TokenLookup,
): Promise<ActorOf<Who>> {
  if (!needsAccessToken(policy.who)) return null as ActorOf<Who>;
  const token = bearerToken(request);
  const owner = token === null ? null : await tokens.findOwner(token);
  const namesOwner = (request.query as { email?: unknown }).email !== undefined;
  const refusal = refuseByRole(policy, owner?.role ?? null, namesOwner, owner?.lacksSecondFactor);
  if (refusal !== null) throw new Problem(refusal);
  return owner as unknown as ActorOf<Who>;
}

/**
 * The call may be made by this actor on these things (contract, "Calls").
 * @param isOwner whether they are the actor's own
 * @throws Problem `not-yours`, or `not-found` where another's does not exist for the caller; `second-factor-required`
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
 * The same where the owner is named by an email, which is compared without regard to case.
 * @throws Problem `not-yours`
 */
export const requireOwnEmail = (call: Pick<Call, 'policy'>, actor: Actor, email: string): void =>
  requireOwner(call, actor, sameEmail(actor.email, email));

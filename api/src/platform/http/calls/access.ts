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

/** Reads role and existence again for every request. */
export interface TokenLookup {
  findOwner(token: string): Promise<Omit<Actor, typeof checked> | null>;
}

export function bearerToken(request: FastifyRequest): string | null {
  const match = request.headers.authorization?.match(/^Bearer ([\w\-.~+/]+=*)$/i);
  return match?.[1] ?? null;
}

/**
 * Null where the call needs no access token.
 * @throws Problem `sign-in-needed`; `admin-needed`, `customers-only`; `second-factor-required`
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

/** Case-insensitive. @throws Problem `not-yours` */
export const requireOwnEmail = (call: Pick<Call, 'policy'>, actor: Actor, email: string): void =>
  requireOwner(call, actor, sameEmail(actor.email, email));

import type { Caller } from '@parts-forge/contract/call';
import { sameEmail } from '@parts-forge/contract/text';
import type { Role } from '@parts-forge/contract/users';
import type { FastifyRequest } from 'fastify';
import { Problem } from './problem.ts';

declare const checked: unique symbol;

/** Somebody whose access token was checked for this very request. Made here alone, so a function that takes one cannot be called unchecked. */
export interface Actor {
  readonly [checked]: true;
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
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
  find(token: string): Promise<Omit<Actor, typeof checked> | null>;
}

/** The token of `Authorization: Bearer …`; null when there is none. */
export function bearerToken(request: FastifyRequest): string | null {
  const match = /^Bearer ([\w\-.~+/]+=*)$/i.exec(request.headers.authorization ?? '');
  return match?.[1] ?? null;
}

/**
 * The person behind a request.
 * @throws Problem `sign-in-needed` without a living token; `admin-needed`, `customers-only` for the wrong role
 */
export async function checkCaller(
  request: FastifyRequest,
  who: 'signed-in' | 'user' | 'admin',
  tokens: TokenLookup,
): Promise<Actor> {
  const token = bearerToken(request);
  const found = token === null ? null : await tokens.find(token);
  if (!found) throw new Problem('sign-in-needed');
  if (who === 'admin' && found.role !== 'admin') throw new Problem('admin-needed');
  if (who === 'user' && found.role !== 'user') throw new Problem('customers-only');
  return found as Actor;
}

/**
 * The email is the actor's own.
 * @throws Problem `not-yours`
 */
export function requireOwnEmail(actor: Actor, email: string): void {
  if (!sameEmail(actor.email, email)) throw new Problem('not-yours');
}

/**
 * The email is the actor's own, or the actor administers the shop.
 * @throws Problem `not-yours`
 */
export function requireOwnEmailOrAdmin(actor: Actor, email: string): void {
  if (actor.role !== 'admin') requireOwnEmail(actor, email);
}

import { createHash } from 'node:crypto';
import type { Call } from '@parts-forge/contract/calls/call';
import { sameEmail } from '@parts-forge/contract/text/text';
import { keyReused, Problem } from '#src/platform/core/problem.ts';
import type { Database } from '#src/platform/database/connection.ts';
import { type Customer, requireOwnEmail } from '#src/platform/http/calls/access.ts';
import type { Platform } from '#src/platform/platform.ts';
import { findUserById } from '#src/users/store.ts';
import { refuseFormerCurrency, refuseTooManyUnpaid } from './explain-refusal.ts';
import { findIdempotencyKey } from './store.ts';
import type { IdempotencyKey } from './take-stock.ts';

const MAX_TRIES = 5;

interface Placing<Placed> {
  call: Pick<Call, 'policy'>;
  email: string;
  idempotencyKey: string | undefined;
  /** Must be equal when a key repeats. */
  content: readonly unknown[];
  place(key: IdempotencyKey | null, isFirstTry: boolean): Promise<Placed | null>;
  findPlaced(orderId: string): Promise<Placed>;
  findRefusal(): Promise<Problem | null>;
}

/**
 * Validation errors (422) come before ownership errors (403), and both before conflicts (409).
 * @throws Problem as the call lists, and the result of `findRefusal`
 */
export async function placeOrRefuse<Placed>(
  platform: Pick<Platform, 'config' | 'database'>,
  customer: Customer,
  { call, email, idempotencyKey, content, place, findPlaced, findRefusal }: Placing<Placed>,
): Promise<Placed> {
  const { config, database } = platform;
  const refuseBrokenRule = async () => {
    const refusal = await findRefusal();
    if (refusal && refusal.status !== 409) throw refusal;
  };
  if (!sameEmail(customer.email, email)) await refuseBrokenRule();
  requireOwnEmail(call, customer, email);
  if (await lacksVerifiedEmail(platform, customer)) {
    await refuseBrokenRule();
    throw new Problem('email-not-verified', {
      detail: 'This shop takes orders only from a confirmed email address.',
    });
  }

  const key = idempotencyKey === undefined ? null : { text: idempotencyKey, bodyHash: hash(content) };
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const placed = await place(key, tries === 0);
    if (placed) return placed;
    const earlier = key && (await findEarlierOrder(database, customer.userId, key));
    if (earlier) return findPlaced(earlier);
    const refusal = await findRefusal();
    const tooMany =
      refusal?.status === 422 ? null : await refuseTooManyUnpaid(database, config, customer.userId);
    if (tooMany ?? refusal) throw tooMany ?? refusal;
    await refuseFormerCurrency(database);
    await customer.confirm(database.db);
  }
  throw new Problem('unavailable', {
    detail: 'The stock is moving too fast. Try again in a moment.',
    retryAfterSeconds: 1,
  });
}

const lacksVerifiedEmail = async (
  { config, database }: Pick<Platform, 'config' | 'database'>,
  { userId }: Customer,
): Promise<boolean> =>
  config.requireVerifiedEmail && !(await findUserById(database.db, userId))?.emailVerified;

const hash = (content: readonly unknown[]): Buffer =>
  createHash('sha256').update(JSON.stringify(content)).digest();

/** @throws Problem `key-reused` */
async function findEarlierOrder(
  { db }: Database,
  userId: string,
  key: IdempotencyKey,
): Promise<string | null> {
  const used = await findIdempotencyKey(db, userId, key.text);
  if (!used) return null;
  if (!used.bodyHash.equals(key.bodyHash)) throw keyReused();
  return used.orderId;
}

import { createHash } from 'node:crypto';
import { and, eq, lt, sql } from 'drizzle-orm';
import { ApiError } from './api-error.ts';
import type { Executor } from './database.ts';
import { findObject, putObject } from './object-store.ts';
import { sandboxObjects } from './schema.ts';

export interface ApiResponse {
  status: number;
  body: string;
  /** A repeated response for the same idempotency key. */
  isReplay?: boolean;
}

/** Stripe's minimum is a day. */
const RESPONSE_LIFETIME_MS = 48 * 3_600_000;

const toObjectId = (idempotencyKey: string) => `idem_${idempotencyKey}`;

export const hashRequest = (method: string, path: string, body: string): string =>
  createHash('sha256').update([method, path, body].join('\n')).digest('hex');

/**
 * Locks a new key until the transaction ends, so only one concurrent request runs.
 * @throws ApiError 409 while another request holds the key, 400 for another request's key
 */
export async function findResponseOrLockKey(
  tx: Executor,
  key: string,
  requestHash: string,
): Promise<ApiResponse | null> {
  // Repeats of a finished request must not refuse each other.
  const response = await findResponse(tx, key, requestHash);
  if (response) return response;
  const { rows } = await tx.execute<{ isLocked: boolean }>(
    sql`select pg_try_advisory_xact_lock(hashtextextended(${toObjectId(key)}, 0)) as "isLocked"`,
  );
  if (!rows[0]?.isLocked) {
    throw new ApiError(409, {
      type: 'idempotency_error',
      code: 'idempotency_key_in_use',
      message: 'There is currently another in-progress request using this Idempotency-Key.',
    });
  }
  // The former holder may have finished in between.
  return findResponse(tx, key, requestHash);
}

async function findResponse(tx: Executor, key: string, requestHash: string): Promise<ApiResponse | null> {
  const stored = await findObject(tx, 'idempotency', toObjectId(key));
  if (!stored) return null;
  if (stored.requestHash !== requestHash) {
    throw new ApiError(400, {
      type: 'idempotency_error',
      message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}'.`,
    });
  }
  return { status: stored.status, body: stored.body, isReplay: true };
}

/** Includes errors and 500s, like Stripe. */
export async function saveResponse(
  tx: Executor,
  key: string,
  requestHash: string,
  { status, body }: ApiResponse,
  now: Date,
): Promise<void> {
  await putObject(tx, 'idempotency', { id: toObjectId(key), requestHash, status, body }, now);
}

export async function pruneResponses(db: Executor, now: Date): Promise<void> {
  const before = new Date(now.getTime() - RESPONSE_LIFETIME_MS);
  await db
    .delete(sandboxObjects)
    .where(and(eq(sandboxObjects.kind, 'idempotency'), lt(sandboxObjects.createdAt, before)));
}

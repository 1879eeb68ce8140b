import { createHash } from 'node:crypto';
import { and, eq, lt, sql } from 'drizzle-orm';
import { SandboxRefusal } from './api-error.ts';
import type { Executor } from './database.ts';
import { findObject, putObject } from './object-store.ts';
import { sandboxObjects } from './schema.ts';

/** An answer of the sandbox before it becomes a `Response`. */
export interface Answer {
  status: number;
  body: string;
  replayed?: boolean;
}

const idOf = (key: string) => `idem_${key}`;
/** What makes two requests under one key the same. */
export const hashOf = (...parts: string[]) => createHash('sha256').update(parts.join('\n')).digest('hex');

/**
 * The answer that this key got before; null when it is new, and the key is then held until the transaction ends.
 * @throws SandboxRefusal 409 while another request holds it, 400 when it was used for another request
 */
export async function findAnswer(tx: Executor, key: string, requestHash: string): Promise<Answer | null> {
  // Looked for before and after: repeats of a finished request do not stand in each other's way.
  const finished = await savedAnswer(tx, key, requestHash);
  if (finished) return finished;
  const { rows } = await tx.execute<{ held: boolean }>(
    sql`select pg_try_advisory_xact_lock(hashtextextended(${idOf(key)}, 0)) as held`,
  );
  if (!rows[0]?.held) {
    throw new SandboxRefusal(409, {
      type: 'idempotency_error',
      code: 'idempotency_key_in_use',
      message: 'There is currently another in-progress request using this Idempotency-Key.',
    });
  }
  return savedAnswer(tx, key, requestHash);
}

async function savedAnswer(tx: Executor, key: string, requestHash: string): Promise<Answer | null> {
  const saved = await findObject(tx, 'idempotency', idOf(key));
  if (!saved) return null;
  if (saved.requestHash !== requestHash) {
    throw new SandboxRefusal(400, {
      type: 'idempotency_error',
      message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}'.`,
    });
  }
  return { status: saved.status, body: saved.body, replayed: true };
}

/** Keeps the first answer under its key, errors and 500s included, as Stripe does. */
export async function keepAnswer(
  tx: Executor,
  key: string,
  requestHash: string,
  answer: Answer,
  now: Date,
): Promise<void> {
  const { status, body } = answer;
  await putObject(tx, 'idempotency', { id: idOf(key), requestHash, status, body }, now);
}

/** Stripe keeps answers for a day at least; older ones are forgotten. */
const KEPT_MS = 48 * 3_600_000;

export async function forgetOldAnswers(db: Executor, now: Date): Promise<void> {
  await db
    .delete(sandboxObjects)
    .where(
      and(
        eq(sandboxObjects.kind, 'idempotency'),
        lt(sandboxObjects.createdAt, new Date(now.getTime() - KEPT_MS)),
      ),
    );
}

import { MAX_KEYS } from '@parts-forge/contract/calls/bounds';
import { type Role, type Scope, scopesOf } from '@parts-forge/contract/calls/policies';
import type { Key, NewKey } from '@parts-forge/contract/people/keys';
import { and, desc, eq, getTableColumns, gt, inArray, isNotNull, isNull, or, type SQL } from 'drizzle-orm';
import { hashToken } from '#src/platform/core/hash-token.ts';
import { invalidField, Problem } from '#src/platform/core/problem.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import { type Actor, actAs, requireRecentSignIn } from '#src/platform/http/calls/access.ts';
import type { Platform } from '#src/platform/platform.ts';
import { writeEntry } from '#src/trail/write-entry.ts';
import { users } from '#src/users/schema.ts';
import { createKeyText } from './key-text.ts';
import { accessTokens } from './schema.ts';

type Services = Pick<Platform, 'changes' | 'clock' | 'ids'>;
/** Before the moment of any request that waits, and of any other machine's clock. */
const ENDED = new Date(0);
type KeyOwner = { userId: string; role: Role };

/**
 * The key's text is not stored.
 * @throws Problem `sign-in-again`, `invalid`, `too-many-keys`, and those of `Actor.confirm`
 */
export async function createKey(
  { changes, clock, ids }: Services,
  actor: Actor,
  { name, scopes, expiresAt }: NewKey,
): Promise<{ key: string; data: Key }> {
  const now = clock.now();
  requireRecentSignIn(actor, now);
  const allowed = scopesOf(actor.role);
  const refused = scopes.filter((scope) => !allowed.includes(scope));
  if (refused.length > 0) throw invalidField('scopes', `You cannot give ${refused.join(', ')}`);
  const endsAt = expiresAt === undefined ? null : new Date(expiresAt);
  if (endsAt && endsAt <= now) throw invalidField('expiresAt', 'Must be in the future');
  const key = createKeyText();
  const keyId = ids.next();
  // A change of role or account waits for the new key, and then ends it.
  return actAs(changes, actor, async (tx) => {
    const { userId } = actor;
    const [session] = await tx.select().from(accessTokens).where(eq(accessTokens.hash, actor.tokenHash));
    if (!session) throw new Problem('sign-in-needed');
    if ((await tx.$count(accessTokens, ownKeys(userId, now))) >= MAX_KEYS) throw new Problem('too-many-keys');
    const hash = hashToken(key);
    // A key takes over the session's second factor, and not its end.
    const ofKey = { hash, keyId, name, scopes, hint: key.slice(-4), expiresAt: endsAt };
    const row = { ...session, ...ofKey, sessionId: null, signedInAt: null };
    await tx.insert(accessTokens).values(row);
    const after = { scopes: scopes.join(' ') };
    await writeEntry(tx, { id: ids.next(), now, event: 'key-made', userId, keyId, after });
    return { key, data: toKey({ ...row, madeBy: actor.name }) };
  });
}

export async function findKeys(db: Executor, owner: KeyOwner, now: Date): Promise<Key[]> {
  const rows = await db
    .select({ ...getTableColumns(accessTokens), madeBy: users.name })
    .from(accessTokens)
    .innerJoin(users, eq(users.id, accessTokens.userId))
    .where(shownKeys(db, owner, now))
    .orderBy(desc(accessTokens.keyId));
  return rows.map(toKey);
}

/** @throws Problem `not-found`, and those of `Actor.confirm` */
export async function deleteKey(
  { changes, clock, ids }: Services,
  actor: Actor,
  keyId: string,
): Promise<void> {
  const now = clock.now();
  await actAs(changes, actor, async (tx, changed) => {
    const [ended] = await tx
      .update(accessTokens)
      .set({ expiresAt: ENDED })
      .where(and(eq(accessTokens.keyId, keyId), shownKeys(tx, actor, now)))
      .returning({ userId: accessTokens.userId });
    if (!ended) throw new Problem('not-found');
    await writeEntry(tx, { ...ended, id: ids.next(), now, event: 'key-ended', keyId });
    changed('users');
  });
}

/** Ends all keys of one person. The caller publishes `users`. */
export async function endKeys(tx: Executor, userId: string, now: Date): Promise<void> {
  await tx.update(accessTokens).set({ expiresAt: ENDED }).where(ownKeys(userId, now));
}

/** Its keys do then what it may do without. The caller publishes `users`. Repeatable. */
export async function dropSecondFactor(tx: Executor, userId: string): Promise<void> {
  await tx.update(accessTokens).set({ secondFactor: false }).where(eq(accessTokens.userId, userId));
}

/** @returns its scopes; null once it has ended. Otherwise it does not end before the transaction. */
export async function lockLiveKey(tx: Executor, id: string, now: Date): Promise<Scope[] | null> {
  const isFound = and(eq(accessTokens.keyId, id), liveKeys(now));
  const { scopes } = accessTokens;
  const [row] = await tx.select({ scopes }).from(accessTokens).where(isFound).for('share');
  return row ? (row.scopes ?? []) : null;
}

/** Finds names of ended keys, too. */
export async function findKeyNames(
  db: Executor,
  ids: readonly (string | null)[],
): Promise<ReadonlyMap<string | null, string | null>> {
  const known = ids.filter((id) => id !== null);
  if (known.length === 0) return new Map();
  const { keyId, name } = accessTokens;
  const rows = await db.select({ keyId, name }).from(accessTokens).where(inArray(keyId, known));
  return new Map(rows.map((row) => [row.keyId, row.name]));
}

const liveKeys = (now: Date): SQL | undefined =>
  and(isNotNull(accessTokens.keyId), or(isNull(accessTokens.expiresAt), gt(accessTokens.expiresAt, now)));

const ownKeys = (userId: string, now: Date): SQL | undefined =>
  and(eq(accessTokens.userId, userId), liveKeys(now));

/** Administrators see to the keys of all administrators. */
function shownKeys(db: Executor, { role, userId }: KeyOwner, now: Date): SQL | undefined {
  if (role === 'user') return ownKeys(userId, now);
  const administrators = db.select({ id: users.id }).from(users).where(eq(users.role, 'admin'));
  return and(inArray(accessTokens.userId, administrators), liveKeys(now));
}

type KeyRow = typeof accessTokens.$inferSelect & { madeBy: string };

const toKey = ({ keyId, name, scopes, hint, usedAt, expiresAt, madeBy }: KeyRow): Key => ({
  _id: keyId ?? '',
  name: name ?? '',
  hint: hint ?? '',
  scopes: scopes ?? [],
  madeBy,
  ...(usedAt && { usedAt: usedAt.toISOString() }),
  ...(expiresAt && { expiresAt: expiresAt.toISOString() }),
});

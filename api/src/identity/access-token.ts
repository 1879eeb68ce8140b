import { randomBytes } from 'node:crypto';
import type { Scope } from '@parts-forge/contract/calls/policies';
import { and, eq, gt, isNull, lt, lte, max, or } from 'drizzle-orm';
import { LRUCache } from 'lru-cache';
import type { Clock } from '#src/platform/core/clock.ts';
import { hashToken } from '#src/platform/core/hash-token.ts';
import type { ChangeFeed } from '#src/platform/database/change-feed.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import type { TokenLookup } from '#src/platform/http/calls/access.ts';
import type { Platform } from '#src/platform/platform.ts';
import { users } from '#src/users/schema.ts';
import { isKey } from './key-text.ts';
import { lockLiveKey } from './keys.ts';
import { accessTokens } from './schema.ts';

export const ACCESS_TOKEN_SECONDS = 15 * 60;
/** Only a process that receives every change caches. */
const CACHE_MS = 30_000;
const CACHED_TOKENS = 10_000;
/** 32 random bytes in base64url. */
const tokenPattern = /^[\w-]{43}$/;

type TokenOwner = NonNullable<Awaited<ReturnType<TokenLookup['findOwner']>>>;
type OwnerRow = Omit<TokenOwner, 'tokenHash' | 'lacksSecondFactor' | 'key'> & {
  secondFactor: boolean;
  expiresAt: Date | null;
  keyId: string | null;
  scopes: Scope[] | null;
  usedAt: Date | null;
};

export type AccessTokens = ReturnType<typeof createAccessTokens>;

export interface SignIn {
  sessionId: string | null;
  signedInAt: Date;
  secondFactor: boolean;
  sessionEndsAt: Date | null;
}

/* A named prepared statement, as every signed-in request runs it. The join saves a round trip. */
const selectOwner = `
  select u.id as "userId", u.email, u.name, u.role, t.signed_in_at as "signedInAt",
    t.second_factor as "secondFactor", t.expires_at as "expiresAt", t.key_id as "keyId", t.scopes,
    t.used_at as "usedAt"
  from access_tokens t join users u on u.id = t.user_id
  where t.hash = $1 and (t.expires_at > $2 or t.expires_at is null) and u.deleted_at is null`;

type TokenPlatform = Pick<Platform, 'config' | 'database' | 'changes' | 'clock' | 'copiedAt'>;

/**
 * Opaque: a promotion, deletion or logout applies from the next request, which reads the user's row anyway.
 * Every change of a user or token clears the cache.
 */
export function createAccessTokens(platform: TokenPlatform) {
  const { config, database, clock } = platform;
  const lookup: TokenLookup = {
    findOwner: createOwnerLookup(platform),
    async lockRights(tx, tokenHash) {
      const { hash, secondFactor, keyId, scopes, expiresAt } = accessTokens;
      const isOpen = or(gt(expiresAt, clock.now()), isNull(expiresAt));
      const [row] = await tx
        .select({ role: users.role, secondFactor, keyId, scopes })
        .from(users)
        .innerJoin(accessTokens, eq(accessTokens.userId, users.id))
        .where(and(eq(hash, tokenHash), isOpen, isNull(users.deletedAt)))
        // Not shared: a flood of acts would hold off a demotion, which waits for its turn here.
        .for('no key update', { of: [users, accessTokens] });
      return row ? toRights(config, row) : null;
    },
    findScopes: (id, tx = database.db) => lockLiveKey(tx, id, clock.now()),
  };
  return {
    ...lookup,
    /**
     * Stores only the token's SHA-256.
     * @param signIn without one the token proves no recent sign-in
     * @returns `expiresIn` in seconds
     */
    async issue(tx: Executor, userId: string, { sessionEndsAt = null, ...signIn }: Partial<SignIn> = {}) {
      const token = randomBytes(32).toString('base64url');
      const nowMs = clock.now().getTime();
      const leftMs = sessionEndsAt === null ? Number.POSITIVE_INFINITY : sessionEndsAt.getTime() - nowMs;
      const expiresIn = Math.min(ACCESS_TOKEN_SECONDS, Math.floor(leftMs / 1000));
      const expiresAt = new Date(nowMs + expiresIn * 1000);
      await tx.insert(accessTokens).values({ hash: hashToken(token), userId, expiresAt, ...signIn });
      return { token, expiresIn };
    },
    /** The caller publishes `users` in the same transaction. Repeatable. */
    async end(tx: Executor, hash: Buffer): Promise<void> {
      await tx.delete(accessTokens).where(eq(accessTokens.hash, hash));
    },
    async findSessionId(tx: Executor, hash: Buffer): Promise<string | null> {
      const [row] = await tx
        .select({ sessionId: accessTokens.sessionId })
        .from(accessTokens)
        .where(eq(accessTokens.hash, hash));
      return row?.sessionId ?? null;
    },
    /** The caller publishes `users` in the same transaction. */
    async endAll(tx: Executor, userId: string): Promise<void> {
      await tx.delete(accessTokens).where(eq(accessTokens.userId, userId));
    },
    async purgeExpired(): Promise<number> {
      const { rowCount } = await database.db
        .delete(accessTokens)
        .where(and(lte(accessTokens.expiresAt, clock.now()), isNull(accessTokens.keyId)));
      return rowCount ?? 0;
    },
  };
}

function createOwnerLookup(platform: TokenPlatform): TokenLookup['findOwner'] {
  const { config, database, changes, clock, copiedAt } = platform;
  const cache = createOwnerCache(changes, clock);
  return async (token) => {
    // The original shop's programs must not act on a copy.
    if (!tokenPattern.test(token) && (copiedAt !== null || !isKey(token))) return null;
    const tokenHash = hashToken(token);
    const cached = cache.get(tokenHash);
    if (cached) return cached;

    const cacheUnlessChanged = cache.beginRead();
    const { rows } = await database.runPrepared<OwnerRow>({
      name: 'find-token-owner',
      text: selectOwner,
      values: [tokenHash, clock.now()],
    });
    const [row] = rows;
    if (!row) return null;
    const { expiresAt, secondFactor: _, keyId, scopes: __, usedAt, ...person } = row;
    if (keyId !== null) recordUse(platform, tokenHash, usedAt);
    const owner = { ...person, tokenHash, ...toRights(config, row) };
    cacheUnlessChanged(owner, expiresAt);
    return owner;
  };
}

function toRights(
  { adminSecondFactor }: Pick<Platform['config'], 'adminSecondFactor'>,
  { role, secondFactor, keyId, scopes }: Pick<OwnerRow, 'role' | 'secondFactor' | 'keyId' | 'scopes'>,
): Pick<TokenOwner, 'role' | 'lacksSecondFactor' | 'key'> {
  return {
    role,
    lacksSecondFactor: adminSecondFactor === 'required' && role === 'admin' && !secondFactor,
    key: keyId === null ? null : { id: keyId, scopes: scopes ?? [] },
  };
}

/** Once a minute for each key, to that minute. Nobody waits for it, and a lost one harms nobody. */
function recordUse({ database, clock }: TokenPlatform, hash: Buffer, before: Date | null): void {
  const usedAt = new Date(clock.now().setUTCSeconds(0, 0));
  if (before !== null && before >= usedAt) return;
  const { db } = database;
  db.update(accessTokens)
    .set({ usedAt })
    .where(and(eq(accessTokens.hash, hash), or(isNull(accessTokens.usedAt), lt(accessTokens.usedAt, usedAt))))
    .catch(() => {});
}

function createOwnerCache(changes: Pick<ChangeFeed, 'isConnected' | 'subscribe'>, clock: Clock) {
  const owners = new LRUCache<string, { owner: TokenOwner; untilMs: number }>({ max: CACHED_TOKENS });
  let changeCount = 0;
  changes.subscribe((changed) => {
    if (changed !== 'all' && !changed.has('users')) return;
    changeCount += 1;
    owners.clear();
  });
  return {
    get(tokenHash: Buffer): TokenOwner | null {
      const cached = changes.isConnected ? owners.get(tokenHash.toString('base64')) : undefined;
      return cached && cached.untilMs > clock.now().getTime() ? cached.owner : null;
    },
    /** The returned function caches the owner unless something changed since. */
    beginRead() {
      const changesBefore = changeCount;
      return (owner: TokenOwner, expiresAt: Date | null): void => {
        if (!changes.isConnected || changeCount !== changesBefore) return;
        const untilMs = Math.min(
          clock.now().getTime() + CACHE_MS,
          expiresAt?.getTime() ?? Number.POSITIVE_INFINITY,
        );
        owners.set(owner.tokenHash.toString('base64'), { owner, untilMs });
      };
    },
  };
}

/** A token that ended early counts as older. */
export async function findNewestToken(db: Executor, userId: string): Promise<Date | null> {
  const [row] = await db
    .select({ expiresAt: max(accessTokens.expiresAt) })
    .from(accessTokens)
    .where(and(eq(accessTokens.userId, userId), isNull(accessTokens.keyId)));
  return row?.expiresAt ? new Date(row.expiresAt.getTime() - ACCESS_TOKEN_SECONDS * 1000) : null;
}

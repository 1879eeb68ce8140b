import { createHash, randomBytes } from 'node:crypto';
import { eq, lte } from 'drizzle-orm';
import { accessTokens } from '#src/db/schema.ts';
import type { Clock } from '#src/platform/clock.ts';
import type { Changes } from '#src/platform/database/change-feed.ts';
import type { Database, Executor } from '#src/platform/database/connection.ts';
import type { TokenLookup } from '#src/platform/http/access.ts';

/** How long an access token lives, in seconds (contract: 15 minutes). */
export const ACCESS_TOKEN_SECONDS = 15 * 60;
/** How long a checked token may be remembered by a process that hears of every change. */
const KEPT_MS = 30_000;
const KEPT_AT_MOST = 10_000;
/** 32 random bytes in base64url. */
const tokenPattern = /^[\w-]{43}$/;

type TokenOwner = NonNullable<Awaited<ReturnType<TokenLookup['find']>>>;

/**
 * The shop's own access tokens. Opaque, because every request looks at the user's row anyway: a promotion, a
 * deletion and a logout hold from the next request on, which a signed copy of the role could not promise.
 */
export interface AccessTokens extends TokenLookup {
  /** A new token for a user, and the seconds it lives. Only its SHA-256 is kept. */
  issue(tx: Executor, userId: string): Promise<{ token: string; expiresIn: number }>;
  /** Ends one token. The caller announces `users` with the same transaction. Harmless to repeat. */
  end(tx: Executor, hash: Buffer): Promise<void>;
  /** Ends every token of a user. The caller announces `users` with the same transaction. */
  endAll(tx: Executor, userId: string): Promise<void>;
  /** Removes the rows of tokens that have run out; how many there were. */
  purgeExpired(): Promise<number>;
}

/*
 * Read with every signed-in request, so it is prepared by name, and joins the user's row here instead of asking
 * the users' store in a second trip.
 */
const findOwner = `
  select u.id as "userId", u.email, u.name, u.role, t.expires_at as "expiresAt"
  from access_tokens t join users u on u.id = t.user_id
  where t.hash = $1 and t.expires_at > $2 and u.deleted_at is null`;

/** Access tokens in the database, with a short memory that every change of a user or token empties. */
export function createAccessTokens({
  database,
  changes,
  clock,
}: {
  database: Database;
  changes: Changes;
  clock: Clock;
}): AccessTokens {
  /** Oldest use first, so that the first entry is the one to give up. */
  const kept = new Map<string, { owner: TokenOwner; untilMs: number }>();
  changes.on('users', () => kept.clear());

  function keep(key: string, owner: TokenOwner, expiresAt: Date): void {
    const untilMs = Math.min(clock.now().getTime() + KEPT_MS, expiresAt.getTime());
    kept.set(key, { owner, untilMs });
    const [oldest] = kept.keys();
    if (kept.size > KEPT_AT_MOST && oldest !== undefined) kept.delete(oldest);
  }

  function recall(key: string): TokenOwner | null {
    const entry = kept.get(key);
    if (!entry) return null;
    kept.delete(key);
    if (!changes.keeping || entry.untilMs <= clock.now().getTime()) return null;
    kept.set(key, entry);
    return entry.owner;
  }

  return {
    async find(token) {
      if (!tokenPattern.test(token)) return null;
      const tokenHash = hashOf(token);
      const key = tokenHash.toString('base64');
      const remembered = recall(key);
      if (remembered) return remembered;

      // What was read before a change must not be kept after it.
      const generation = changes.generation('users');
      const { rows } = await database.pool.query<Omit<TokenOwner, 'tokenHash'> & { expiresAt: Date }>({
        name: 'find-token-owner',
        text: findOwner,
        values: [tokenHash, clock.now()],
      });
      const [row] = rows;
      if (!row) return null;
      const { expiresAt, ...person } = row;
      const owner = { ...person, tokenHash };
      if (changes.keeping && changes.generation('users') === generation) keep(key, owner, expiresAt);
      return owner;
    },
    async issue(tx, userId) {
      const token = randomBytes(32).toString('base64url');
      const expiresAt = new Date(clock.now().getTime() + ACCESS_TOKEN_SECONDS * 1000);
      await tx.insert(accessTokens).values({ hash: hashOf(token), userId, expiresAt });
      return { token, expiresIn: ACCESS_TOKEN_SECONDS };
    },
    async end(tx, hash) {
      await tx.delete(accessTokens).where(eq(accessTokens.hash, hash));
    },
    async endAll(tx, userId) {
      await tx.delete(accessTokens).where(eq(accessTokens.userId, userId));
    },
    async purgeExpired() {
      const { rowCount } = await database.db
        .delete(accessTokens)
        .where(lte(accessTokens.expiresAt, clock.now()));
      return rowCount ?? 0;
    },
  };
}

const hashOf = (token: string) => createHash('sha256').update(token).digest();

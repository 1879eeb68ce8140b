import { randomBytes } from 'node:crypto';
import type { CacheTag } from '@parts-forge/contract/call';
import { sql } from 'drizzle-orm';
import { createGapWatch } from './change-gaps.ts';
import { coalesceCalls } from './coalesce-calls.ts';
import type { Database, Executor } from './connection.ts';
import { ListeningConnection } from './listening-connection.ts';

/** The subjects of change notifications: cached responses, users with their tokens, and mails to send. */
export type ChangeTag = CacheTag | 'users' | 'mail';

/** PostgreSQL channel of change notifications. */
const CHANNEL = 'shop_changes';
/** A notification may have 8,000 bytes; the longest tag has 44. */
const WORDS_PER_NOTIFICATION = 150;
/** The sequence of change numbers; see `change-gaps.ts`. */
const NUMBERS = 'change_numbers';
const readLastNumber = `select case when is_called then last_value else 0 end as number from ${NUMBERS}`;
/** All caches are dropped this often in any case; see `publish`. */
const REFRESH_MS = 30_000;

/** A part that was ordered. */
export interface OrderedPart {
  /** From `change_numbers`, taken by the order's statement. */
  number: number;
  /** In lower case. */
  productId: string;
}

/** Receives the changed tags; `all` when changes may have been missed. */
export type ChangeListener = (changed: ReadonlySet<ChangeTag> | 'all', isOrder: boolean) => void;

/**
 * Notifies every process of changes, so that no cache stays stale.
 *
 * `write` puts the notification into its transaction. Its own process invalidates before `write` returns,
 * so the writer's next read is fresh. While `isConnected` is false, nothing may be cached.
 */
export interface ChangeFeed {
  readonly isConnected: boolean;
  /** Whether the database is reachable, even without the listening connection. Takes two seconds at most. */
  canReachDatabase(): Promise<boolean>;
  subscribe(listener: ChangeListener): void;
  /**
   * Runs `work` in one transaction and publishes its tags. It may run twice: see `repeatAfterConflict`.
   * @throws the error of `work`; then nothing is written or published
   */
  write<T>(work: (tx: Executor, changed: (...tags: ChangeTag[]) => void) => Promise<T>): Promise<T>;
  /**
   * Notifies after a commit; concurrent calls share one transaction. Resolves once the notifications are
   * sent. If the process dies first, other processes stay stale for 30 seconds at most.
   */
  publish(...tags: ChangeTag[]): Promise<void>;
  /**
   * `publish` for an order; does not wait. An order cannot notify in its own transaction: that takes a
   * lock of the whole server until the disk write, so orders would wait in line (docs/decisions/0008). It
   * changes its part, the lists of parts and the mails to send. If this process dies first, the others
   * miss its number within a second. A cookie tells them who ordered (`read-your-writes.ts`).
   */
  publishOrder(ordered: OrderedPart): void;
  /** Sends the pending notifications first. */
  close(): Promise<void>;
}

/** @param onError receives each failure and its consequence; the feed recovers by itself */
export async function openChangeFeed(
  database: Database,
  onError: (error: Error, consequence: string) => void,
): Promise<ChangeFeed> {
  const listeners: ChangeListener[] = [];
  const tell = (changed: ReadonlySet<ChangeTag> | 'all', isOrder = false) => {
    for (const listener of listeners) listener(changed, isOrder);
  };
  const origin: Origin = `@${randomBytes(6).toString('base64url')}`;
  const publish = publishTogether(database, origin, onError);
  /** None of them rejects; see `publishTogether`. */
  const toBeTold = new Set<Promise<void>>();
  const gaps = createGapWatch();
  const refresh = setInterval(() => tell('all'), REFRESH_MS);
  refresh.unref();
  const listening = await ListeningConnection.open(database.connection, CHANNEL, {
    onNotification(payload) {
      const { numbers, tags, origins } = readPayload(payload);
      for (const number of numbers) gaps.hear(number);
      // This process has already invalidated its own changes; doing so again would drop newer entries.
      // Only changes published after their commit have an origin. Of these, only orders and settings
      // change parts.
      const isOrder = origins.length > 0 && !tags.has('config');
      if (tags.size > 0 && !origins.includes(origin)) tell(tags, isOrder);
    },
    heartbeat: readLastNumber,
    onHeartbeat: (number) => gaps.look(number) && tell('all'),
    onGap() {
      gaps.reset();
      tell('all');
    },
    onError: (error) => onError(error, 'the listening connection broke; nothing is cached until it is back'),
  });

  return {
    get isConnected() {
      return listening.isConnected;
    },
    canReachDatabase: () => listening.canReachDatabase(),
    subscribe: (listener) => void listeners.push(listener),
    async write(work) {
      const tags = new Set<ChangeTag>();
      const result = await database.db.transaction(async (tx) => {
        tags.clear();
        const done = await work(tx, (...changed) => {
          for (const tag of changed) tags.add(tag);
        });
        await notify(tx, tags);
        return done;
      });
      if (tags.size > 0) tell(tags);
      return result;
    },
    async publish(...tags) {
      tell(new Set(tags));
      await publish(tags);
    },
    publishOrder({ number, productId }) {
      const tags: ChangeTag[] = [`product:${productId}`, 'products', 'mail'];
      tell(new Set(tags), true);
      const publishing = publish([toWord(number), ...tags]);
      toBeTold.add(publishing);
      void publishing.then(() => toBeTold.delete(publishing));
    },
    async close() {
      clearInterval(refresh);
      await Promise.all(toBeTold);
      await listening.close();
    },
  };
}

/** The publisher. Processes of a former version take it for a tag without dependents. */
type Origin = `@${string}`;
/** One item of a notification. */
type Word = ChangeTag | `#${number}` | Origin;
const toWord = (number: number): Word => `#${number}`;

function readPayload(payload: string): { numbers: number[]; tags: Set<ChangeTag>; origins: string[] } {
  const numbers: number[] = [];
  const tags = new Set<ChangeTag>();
  const origins: string[] = [];
  for (const word of payload.split(' ')) {
    if (word.startsWith('#')) numbers.push(Number(word.slice(1)));
    else if (word.startsWith('@')) origins.push(word);
    else if (word !== '') tags.add(word as ChangeTag);
  }
  return { numbers, tags, origins };
}

/** Notifications are not stored on disk, so the commit need not wait for it. */
const notifyUnsynced = `
  select pg_notify('${CHANNEL}', payload)
  from (select set_config('synchronous_commit', 'off', true)) as unsynced, unnest($1::text[]) as payload`;

/** @returns a function that publishes all pending tags in one statement */
function publishTogether(
  database: Database,
  origin: Origin,
  onError: (error: Error, consequence: string) => void,
): (words: readonly Word[]) => Promise<void> {
  const notifyLater = coalesceCalls((changes: readonly (readonly Word[])[]) => {
    const payloads = [...splitWords(new Set(changes.flat()))].map((payload) => `${origin} ${payload}`);
    return database.runPrepared({ name: 'publish-changes', text: notifyUnsynced, values: [payloads] });
  });
  return (words) =>
    notifyLater(words).then(
      () => {},
      (error: Error) =>
        onError(error, 'other processes were not told of a change; they are up to 30 seconds behind'),
    );
}

/** Each notification takes a number, so that receivers can detect its loss. */
async function notify(tx: Executor, tags: ReadonlySet<ChangeTag>): Promise<void> {
  for (const payload of splitWords(tags)) {
    await tx.execute(
      sql`select pg_notify(${CHANNEL}, '#' || nextval(${NUMBERS}::regclass) || ' ' || ${payload}::text)`,
    );
  }
}

function* splitWords(words: ReadonlySet<Word>): Iterable<string> {
  const all = [...words];
  for (let from = 0; from < all.length; from += WORDS_PER_NOTIFICATION) {
    yield all.slice(from, from + WORDS_PER_NOTIFICATION).join(' ');
  }
}

import { randomBytes } from 'node:crypto';
import type { CacheTag } from '@parts-forge/contract/call';
import { sql } from 'drizzle-orm';
import { createGapWatch } from './change-gaps.ts';
import { coalesceCalls } from './coalesce-calls.ts';
import type { Database, Executor } from './connection.ts';
import { ListeningConnection } from './listening-connection.ts';

/**
 * What can change that a process holds in memory or waits for: what answers depend on, users with their tokens, and
 * mails to be sent.
 */
export type ChangeTag = CacheTag | 'users' | 'mail';

/** The channel of PostgreSQL on which changes are told. */
const CHANNEL = 'shop_changes';
/** A notification may have 8,000 bytes; the longest tag has 44. */
const WORDS_PER_NOTIFICATION = 150;
/** Of the changes; see `change-gaps.ts`. */
const NUMBERS = 'change_numbers';
const readLastNumber = `select case when is_called then last_value else 0 end as number from ${NUMBERS}`;
/** Everything cached is made anew this often in any case; see `publish`. */
const REFRESH_MS = 30_000;

/** A part that was ordered. */
export interface OrderedPart {
  /** Of `change_numbers`, taken by the order's statement. */
  number: number;
  /** In small letters. */
  productId: string;
}

/** Receives the tags that have changed; `all` when changes may have been missed. */
export type ChangeListener = (changed: ReadonlySet<ChangeTag> | 'all', isOrder: boolean) => void;

/**
 * Tells every process what has changed, so that nothing in memory outlives the truth.
 *
 * A writer calls `write`: its notification is part of its transaction, and its own process invalidates before
 * `write` returns, so that one's own change is in one's next read. While the listening connection is broken
 * `isConnected` is false and nothing may be cached.
 */
export interface ChangeFeed {
  readonly isConnected: boolean;
  /** Whether the database can be reached, which it may be without the listening connection. Two seconds at most. */
  canReachDatabase(): Promise<boolean>;
  subscribe(listener: ChangeListener): void;
  /**
   * Runs `work` in one transaction and notifies of the tags it names. It may run twice: see `repeatAfterConflict`.
   * @throws whatever `work` throws; nothing is written or told then
   */
  write<T>(work: (tx: Executor, changed: (...tags: ChangeTag[]) => void) => Promise<T>): Promise<T>;
  /**
   * Notifies after a commit. What waits at the same moment shares one transaction. Resolves when the others have been told;
   * a process that dies in between leaves them at most 30 seconds behind.
   */
  publish(...tags: ChangeTag[]): Promise<void>;
  /**
   * The same for an order, the one write that is too frequent to carry its own notification: a notifying transaction holds
   * a lock of the whole server until it is on the disk, so orders would wait for the disk one by one (docs/decisions/0008).
   * Its part, the lists of parts and the mails to be sent have changed. Nobody waits until the others were told: where this
   * process dies in between, they notice by its number within a second that they have missed something, and whoever ordered
   * is known to them by a cookie (`read-your-writes.ts`).
   */
  publishOrder(ordered: OrderedPart): void;
  /** Tells the others of what is still to be told first. */
  close(): Promise<void>;
}

/** @param onError hears of what failed and what that means; it mends itself */
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
  /** None of them fails; see `publishTogether`. */
  const toBeTold = new Set<Promise<void>>();
  const gaps = createGapWatch();
  const refresh = setInterval(() => tell('all'), REFRESH_MS);
  refresh.unref();
  const listening = await ListeningConnection.open(database.connection, CHANNEL, {
    onNotification(payload) {
      const { numbers, tags, origins } = readPayload(payload);
      for (const number of numbers) gaps.hear(number);
      // What this process has published it has told itself before: hearing of it would empty what was made since.
      // Only changes that are published after their commit have an origin; of these only orders and settings change parts.
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

/** Who published the notification; a process of a former version takes it for a tag on which nothing hangs. */
type Origin = `@${string}`;
/** What a notification consists of. */
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

/** A notification is not stored on the disk, so there is nothing to wait for there. */
const notifyUnsynced = `
  select pg_notify('${CHANNEL}', payload)
  from (select set_config('synchronous_commit', 'off', true)) as unsynced, unnest($1::text[]) as payload`;

/** @returns tells the other processes what waits at the same moment in one statement */
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

/** Each notification takes a number, so that it is missed when it gets lost. */
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

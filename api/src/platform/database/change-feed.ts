import { randomBytes } from 'node:crypto';
import type { CacheTag } from '@parts-forge/contract/calls/call';
import { sql } from 'drizzle-orm';
import { createGapWatch } from './change-gaps.ts';
import { coalesceCalls } from './coalesce-calls.ts';
import type { Database, Executor } from './connection.ts';
import { ListeningConnection } from './listening-connection.ts';

export type ChangeTag = CacheTag | 'users' | 'mail' | 'events';

const CHANNEL = 'shop_changes';
/** A notification may have 8,000 bytes; the longest tag has 44. */
const WORDS_PER_NOTIFICATION = 150;
const NUMBERS = 'change_numbers';
const readLastNumber = `select case when is_called then last_value else 0 end as number from ${NUMBERS}`;
/** Maximum staleness after a lost notification. */
const REFRESH_MS = 30_000;

export interface OrderedPart {
  /** From `change_numbers`, taken by the order's statement. */
  number: number;
  productId: string;
}

/** `all`: changes may have been missed. */
export type ChangeListener = (changed: ReadonlySet<ChangeTag> | 'all', isOrder: boolean) => void;

/** Keeps caches fresh. Cache nothing while `isConnected` is false. */
export interface ChangeFeed {
  readonly isConnected: boolean;
  /** Also works without the listening connection. Takes two seconds at most. */
  canReachDatabase(): Promise<boolean>;
  subscribe(listener: ChangeListener): void;
  /**
   * One transaction, perhaps run twice (`repeatAfterConflict`). The writer's next read is fresh.
   * @throws the error of `work`; then nothing is written or published
   */
  write<T>(work: (tx: Executor, changed: (...tags: ChangeTag[]) => void) => Promise<T>): Promise<T>;
  /**
   * For after a commit. Resolves once sent. If the process dies first, others stay stale for 30 seconds at
   * most.
   */
  publish(...tags: ChangeTag[]): Promise<void>;
  /**
   * Notifying in the order's transaction would lock the whole server until the disk write
   * (docs/decisions/0008). If this process dies first, others miss the number within a second, and a cookie
   * marks the customer (`read-your-writes.ts`).
   */
  publishOrder(ordered: OrderedPart): void;
  close(): Promise<void>;
}

/** @param onError the feed recovers by itself */
export async function openChangeFeed(
  database: Database,
  onError: (error: Error, consequence: string) => void,
): Promise<ChangeFeed> {
  const listeners: ChangeListener[] = [];
  const emit = (changed: ReadonlySet<ChangeTag> | 'all', isOrder = false) => {
    for (const listener of listeners) listener(changed, isOrder);
  };
  const origin: Origin = `@${randomBytes(6).toString('base64url')}`;
  const publish = publishTogether(database, origin, onError);
  /** None rejects; see `publishTogether`. */
  const pendingNotifications = new Set<Promise<void>>();
  const gaps = createGapWatch();
  const refresh = setInterval(() => emit('all'), REFRESH_MS);
  refresh.unref();
  const listening = await ListeningConnection.open(database.connection, CHANNEL, {
    onNotification(payload) {
      const { numbers, tags, origins } = readPayload(payload);
      for (const number of numbers) gaps.receive(number);
      // Invalidating this process's own changes again would drop newer entries. Only changes published
      // after their commit have an origin; of these, only orders and settings change parts.
      const isOrder = origins.length > 0 && !tags.has('config');
      if (tags.size > 0 && !origins.includes(origin)) emit(tags, isOrder);
    },
    heartbeat: readLastNumber,
    onHeartbeat: (number) => gaps.look(number) && emit('all'),
    onGap() {
      gaps.reset();
      emit('all');
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
      if (tags.size > 0) emit(tags);
      return result;
    },
    async publish(...tags) {
      emit(new Set(tags));
      await publish(tags);
    },
    publishOrder({ number, productId }) {
      const tags: ChangeTag[] = [`product:${productId}`, 'products', 'mail'];
      emit(new Set(tags), true);
      const publishing = publish([toWord(number), ...tags]);
      pendingNotifications.add(publishing);
      void publishing.then(() => pendingNotifications.delete(publishing));
    },
    async close() {
      clearInterval(refresh);
      await Promise.all(pendingNotifications);
      await listening.close();
    },
  };
}

/** Former versions take it for a tag without dependents. */
type Origin = `@${string}`;
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

/** Notifications are not stored on disk, so the commit need not wait. */
const notifyUnsynced = `
  select pg_notify('${CHANNEL}', payload)
  from (select set_config('synchronous_commit', 'off', true)) as unsynced, unnest($1::text[]) as payload`;

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
        onError(error, 'other processes were not notified of a change; they are up to 30 seconds behind'),
    );
}

/** Receivers detect a loss by the number. */
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

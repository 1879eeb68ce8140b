import { sql } from 'drizzle-orm';
import pg from 'pg';
import type { Database, Executor } from './connection.ts';

/** What can change that something kept in memory shows. */
export type Topic = 'products' | 'reviews' | 'users';
const TOPICS: readonly Topic[] = ['products', 'reviews', 'users'];
/** The channel of PostgreSQL on which changes are told. */
const SHOP_CHANGES = 'shop_changes';
/** What a process keeps of the products is made anew this often in any case; see `announce`. */
const PRODUCTS_KEPT_MS = 30_000;
const RECONNECT_MS = 1000;

/**
 * Tells every process what has changed, so that nothing kept in memory outlives the truth.
 *
 * A writer calls `write`: its notification is part of its transaction, and what its own process keeps is
 * dropped before `write` returns, so that one's own change is in one's next read. While the listening
 * connection is broken `keeping` is false and nobody may keep anything.
 */
export interface Changes {
  readonly keeping: boolean;
  /** Rises with each change of the topic; what was made under an older one must not be kept. */
  generation(topic: Topic): number;
  /** Calls `drop` at each change of the topic, also when changes may have been missed. Returns how to stop. */
  on(topic: Topic, drop: () => void): () => void;
  /**
   * Runs `work` in one transaction and announces the topics it names.
   * @throws whatever `work` throws; nothing is written or announced then
   */
  write<T>(work: (tx: Executor, changed: (topic: Topic) => void) => Promise<T>): Promise<T>;
  /**
   * Announces a topic after a commit, for the one write that is too frequent to carry its own notification: a
   * notifying transaction holds a lock of the whole server until it is on the disk, so orders would wait for the
   * disk one by one (docs/decisions/0008). Announcements that wait at the same moment share one notification. Ends
   * when the others have been told; a process that dies in between leaves them at most 30 seconds behind.
   */
  announce(topic: Topic): Promise<void>;
  close(): Promise<void>;
}

export async function listenForChanges(
  database: Database,
  onError: (error: Error) => void,
): Promise<Changes> {
  const generations: Record<Topic, number> = { products: 0, reviews: 0, users: 0 };
  const listeners: Record<Topic, Set<() => void>> = {
    products: new Set(),
    reviews: new Set(),
    users: new Set(),
  };
  let keeping = false;
  let closed = false;
  let listening: pg.Client | null = null;
  let retry: NodeJS.Timeout | undefined;

  const dropped = (topic: Topic) => {
    generations[topic] += 1;
    for (const drop of listeners[topic]) drop();
  };
  const droppedAll = () => {
    for (const topic of TOPICS) dropped(topic);
  };

  const announcing = sharedRounds(async (topics: ReadonlySet<Topic>) => {
    // A notification is not kept on the disk, so there is nothing to wait for there.
    await database.db.transaction(async (tx) => {
      await tx.execute(sql`set local synchronous_commit = off`);
      for (const topic of topics) await tx.execute(sql`select pg_notify(${SHOP_CHANGES}, ${topic})`);
    });
  });
  const refreshed = setInterval(() => dropped('products'), PRODUCTS_KEPT_MS);
  refreshed.unref();

  async function connect(): Promise<void> {
    const client = new pg.Client({ ...database.connection, application_name: 'parts-forge listener' });
    const lost = (error?: Error) => {
      if (listening !== client && listening !== null) return;
      listening = null;
      keeping = false;
      droppedAll();
      if (error) onError(error);
      client.end().catch(() => {});
      if (!closed) {
        clearTimeout(retry);
        retry = setTimeout(() => void connect(), RECONNECT_MS);
        retry.unref();
      }
    };
    client.on('notification', ({ payload }) => {
      if (TOPICS.includes(payload as Topic)) dropped(payload as Topic);
    });
    try {
      await client.connect();
      await client.query(`listen ${SHOP_CHANGES}`);
    } catch (error) {
      return lost(error as Error);
    }
    client.on('error', lost);
    client.on('end', () => lost());
    if (closed) return void client.end();
    listening = client;
    droppedAll();
    keeping = true;
  }

  await connect();
  return {
    get keeping() {
      return keeping;
    },
    generation: (topic) => generations[topic],
    on(topic, drop) {
      listeners[topic].add(drop);
      return () => listeners[topic].delete(drop);
    },
    async write(work) {
      const topics = new Set<Topic>();
      const result = await database.db.transaction(async (tx) => {
        const done = await work(tx, (topic) => topics.add(topic));
        for (const topic of topics) await tx.execute(sql`select pg_notify(${SHOP_CHANGES}, ${topic})`);
        return done;
      });
      for (const topic of topics) dropped(topic);
      return result;
    },
    async announce(topic) {
      dropped(topic);
      await announcing(topic).catch(onError);
    },
    async close() {
      closed = true;
      clearInterval(refreshed);
      clearTimeout(retry);
      const client = listening;
      listening = null;
      keeping = false;
      client?.removeAllListeners('end');
      await client?.end();
    },
  };
}

/** Collects what is asked for while a round runs into the next one; each caller waits for the round it is in. */
function sharedRounds<T>(run: (items: ReadonlySet<T>) => Promise<void>): (item: T) => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  let next: { items: Set<T>; done: Promise<void> } | null = null;
  return (item) => {
    if (!next) {
      const round = { items: new Set<T>(), done: Promise.resolve() };
      round.done = last.then(() => {
        next = null;
        return run(round.items);
      });
      last = round.done.catch(() => {});
      next = round;
    }
    next.items.add(item);
    return next.done;
  };
}

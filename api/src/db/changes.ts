import { sql } from 'drizzle-orm';
import pg from 'pg';
import type { Database, Executor } from './connection.ts';

/** What can change that something kept in memory shows. */
export type Topic = 'products' | 'reviews' | 'users';
const TOPICS: readonly Topic[] = ['products', 'reviews', 'users'];
/** The channel of PostgreSQL on which changes are told. */
export const SHOP_CHANGES = 'shop_changes';
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
  /** For a single statement that carries `notification(topic)` itself: drops what this process keeps. */
  dropped(topic: Topic): void;
  close(): Promise<void>;
}

/** The notification as an SQL expression, for a statement that is a transaction of its own. */
export const notification = (topic: Topic) => sql`pg_notify(${SHOP_CHANGES}, ${topic})`;

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
        for (const topic of topics) await tx.execute(sql`select ${notification(topic)}`);
        return done;
      });
      for (const topic of topics) dropped(topic);
      return result;
    },
    dropped,
    async close() {
      closed = true;
      clearTimeout(retry);
      const client = listening;
      listening = null;
      keeping = false;
      client?.removeAllListeners('end');
      await client?.end();
    },
  };
}

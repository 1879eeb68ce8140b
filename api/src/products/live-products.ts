import type { LiveProduct } from '@parts-forge/contract/live';
import { idPattern } from '@parts-forge/contract/text';
import type { FastifyBaseLogger } from 'fastify';
import type { ChangeFeed } from '#src/platform/database/change-feed.ts';
import { formatEvent, type SendEvents } from '#src/platform/http/events/event-streams.ts';

/** Between two events of one product to one watcher (contract, `GET /live`). */
const INTERVAL_MS = 1000;
/** What changes meanwhile is read a little before, so that it can be sent in time. */
const READ_INTERVAL_MS = 900;
/** Products in one statement. */
const MAX_READ = 500;
/** While the database cannot be read. */
const RETRY_MS = 1000;

/** One watcher of one product. */
interface Subscription {
  send: SendEvents;
  /** On the clock of `performance.now()`. */
  sentAtMs: number;
  /** What it was sent last. */
  event: string | null;
}

/** One product that somebody watches. */
interface Channel {
  id: string;
  subscriptions: Set<Subscription>;
  /** Its present state as an event; null before it was read, and while it is read again. */
  event: string | null;
  /** Whether it has changed since. */
  isStale: boolean;
  readAtMs: number;
  readTimer: NodeJS.Timeout | undefined;
  sendTimer: NodeJS.Timeout | undefined;
}

interface Needs {
  changes: Pick<ChangeFeed, 'subscribe'>;
  log: Pick<FastifyBaseLogger, 'warn'>;
  /** The present state of those that are for sale. */
  read: (ids: readonly string[]) => Promise<LiveProduct[]>;
}

/** Tells whoever watches a product of its stock and prices: the present state first, then what changes. */
export interface LiveProducts {
  /** @returns ends it */
  watch(ids: readonly string[], send: SendEvents): () => void;
}

/**
 * However many watch a product, it is read once for all of them, and a product that changes all the time once a second.
 * It hangs on the change feed, so that it tells of changes that another process has made, too.
 */
export function watchLiveProducts({ changes, log, read }: Needs): LiveProducts {
  const channels = new Map<string, Channel>();
  /** To be read now. */
  const due = new Set<string>();
  let isReading = false;

  changes.subscribe((changed) => {
    if (changed === 'all') for (const channel of channels.values()) noteChange(channel);
    else for (const tag of changed) if (tag.startsWith(PRODUCT_TAG)) noteChange(channels.get(readId(tag)));
  });

  function noteChange(channel: Channel | undefined): void {
    if (!channel) return;
    channel.isStale = true;
    const waitMs = channel.readAtMs + READ_INTERVAL_MS - performance.now();
    if (waitMs <= 0) readSoon(channel);
    else channel.readTimer ??= setTimeout(() => readLater(channel), waitMs).unref();
  }

  function readLater(channel: Channel): void {
    channel.readTimer = undefined;
    readSoon(channel);
  }

  /** Together with all that is asked for at this moment, or while others are read. */
  function readSoon({ id }: Channel): void {
    due.add(id);
    if (isReading) return;
    isReading = true;
    queueMicrotask(readDue);
  }

  async function readDue(): Promise<void> {
    while (due.size > 0) {
      const ids = [...due].slice(0, MAX_READ);
      for (const id of ids) due.delete(id);
      try {
        await readChannels(ids.flatMap((id) => channels.get(id) ?? []));
      } catch (error) {
        log.warn({ err: error }, 'what is watched could not be read; it is tried again');
        for (const id of ids) due.add(id);
        setTimeout(() => void readDue(), RETRY_MS).unref();
        return;
      }
    }
    isReading = false;
  }

  async function readChannels(asked: readonly Channel[]): Promise<void> {
    for (const channel of asked) {
      // Who comes while it is read waits for what is newer; what changes from now on is not surely in the answer.
      channel.event = null;
      channel.isStale = false;
      channel.readAtMs = performance.now();
    }
    const ids = asked.map(({ id }) => id);
    const products = new Map((await read(ids)).map((product) => [product._id, product]));
    for (const channel of asked) {
      const product = products.get(channel.id);
      channel.event = product ? formatEvent('product', product) : formatGone(channel.id);
      deliver(channel);
    }
  }

  return {
    watch(ids, send) {
      const left = ids.map((id) => (idPattern.test(id) ? join(id, send) : refuse(id, send)));
      return () => {
        for (const leave of left) leave();
      };
    },
  };

  function join(id: string, send: SendEvents): () => void {
    const channel = channels.get(id) ?? createChannel(id);
    channels.set(id, channel);
    const subscription: Subscription = { send, sentAtMs: Number.NEGATIVE_INFINITY, event: null };
    channel.subscriptions.add(subscription);
    if (channel.event === null || channel.isStale) readSoon(channel);
    else deliver(channel);
    return () => {
      channel.subscriptions.delete(subscription);
      if (channel.subscriptions.size > 0) return;
      channels.delete(id);
      clearTimeout(channel.readTimer);
      clearTimeout(channel.sendTimer);
    };
  }
}

const PRODUCT_TAG = 'product:';

const createChannel = (id: string): Channel => ({
  id,
  subscriptions: new Set(),
  event: null,
  isStale: false,
  readAtMs: Number.NEGATIVE_INFINITY,
  readTimer: undefined,
  sendTimer: undefined,
});

const formatGone = (id: string): string => formatEvent('gone', { _id: id });

const readId = (tag: string): string => tag.slice(PRODUCT_TAG.length);

/** What is no id names nothing; there is nothing to watch. */
function refuse(id: string, send: SendEvents): () => void {
  send(formatGone(id));
  return () => {};
}

/** Sends the present state to those who do not have it, now or when a second has passed since they were sent another. */
function deliver(channel: Channel): void {
  if (channel.event === null) return;
  const now = performance.now();
  let waitMs = Number.POSITIVE_INFINITY;
  for (const subscription of channel.subscriptions) {
    if (subscription.event === channel.event) continue;
    const restMs = subscription.sentAtMs + INTERVAL_MS - now;
    if (restMs > 0) {
      waitMs = Math.min(waitMs, restMs);
      continue;
    }
    subscription.event = channel.event;
    subscription.sentAtMs = now;
    subscription.send(channel.event);
  }
  if (waitMs === Number.POSITIVE_INFINITY) return;
  channel.sendTimer ??= setTimeout(() => {
    channel.sendTimer = undefined;
    deliver(channel);
  }, waitMs).unref();
}

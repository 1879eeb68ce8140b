import type { LiveProduct } from '@parts-forge/contract/products/live';
import { idPattern } from '@parts-forge/contract/text/text';
import type { FastifyBaseLogger } from 'fastify';
import type { ChangeFeed } from '#src/platform/database/change-feed.ts';
import { formatEvent, type SendEvents } from '#src/platform/http/events/event-streams.ts';

/** Minimum between two events of one product to one watcher (docs/reference/calls.md, "GET /live"). */
const INTERVAL_MS = 1000;
/** Slightly shorter, so that changes are read before they may be sent. */
const READ_INTERVAL_MS = 900;
const MAX_READ = 500;
/** After a failed read. */
const RETRY_MS = 1000;

interface Subscription {
  send: SendEvents;
  sentAtMs: number;
  /** The last event sent. */
  event: string | null;
}

/** A product with at least one subscription. */
interface Channel {
  id: string;
  subscriptions: Set<Subscription>;
  /** The present state; null until read, and during a read. */
  event: string | null;
  /** Changed since the last read. */
  isStale: boolean;
  readAtMs: number;
  readTimer: NodeJS.Timeout | undefined;
  sendTimer: NodeJS.Timeout | undefined;
}

interface Services {
  changes: Pick<ChangeFeed, 'subscribe'>;
  log: Pick<FastifyBaseLogger, 'warn'>;
  /** Present states by id; deleted products are absent. */
  read: (ids: readonly string[]) => Promise<ReadonlyMap<string, LiveProduct>>;
}

/**
 * Streams stock and prices of products: the present state first, then changes.
 * Reads a product once for all its watchers, at most about once a second. The change feed also reports
 * changes of other processes. Server-sent events are plain HTTP, and the browser reconnects by itself:
 * WebSockets need a library, polling a request each second from every window. 5,000 streams take 62 MB in one
 * process (2026-11-23).
 */
export function watchLiveProducts({ changes, log, read }: Services) {
  const channels = new Map<string, Channel>();
  const readSoon = createReader(channels, { log, read });

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

  return {
    /** @returns stops the stream */
    watch(ids: readonly string[], send: SendEvents): () => void {
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

/** @returns reads a channel: joins the read of this moment, or the next one during a read */
function createReader(
  channels: ReadonlyMap<string, Channel>,
  { log, read }: Omit<Services, 'changes'>,
): (channel: Channel) => void {
  /** Ids waiting for the next read. */
  const due = new Set<string>();
  let isReading = false;

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
      // New watchers wait for this read; a change from now on may be missing from it.
      channel.event = null;
      channel.isStale = false;
      channel.readAtMs = performance.now();
    }
    const products = await read(asked.map(({ id }) => id));
    for (const channel of asked) {
      const product = products.get(channel.id);
      channel.event = product ? formatState(product) : formatGone(channel.id);
      deliver(channel);
    }
  }

  return readSoon;
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

const formatState = ({ _id, quantity, price, priceBreaks }: LiveProduct): string =>
  formatEvent('product', { _id, quantity, price, priceBreaks });

const formatGone = (id: string): string => formatEvent('gone', { _id: id });

const readId = (tag: string): string => tag.slice(PRODUCT_TAG.length);

/** A malformed id names no product. */
function refuse(id: string, send: SendEvents): () => void {
  send(formatGone(id));
  return () => {};
}

/** Sends the state to each watcher without it, at once or when its interval has passed. */
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

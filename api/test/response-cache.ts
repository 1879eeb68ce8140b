import type { CacheTag } from '@parts-forge/contract/call';
import type { ChangeListener, ChangeTag } from '#src/platform/database/change-feed.ts';
import { createResponseCache, type FreshResponse } from '#src/platform/http/response-cache.ts';

/** A cache, and the changes that it hears of. */
export function cacheWithChanges() {
  const listeners: ChangeListener[] = [];
  const feed = {
    isConnected: true,
    canReachDatabase: async () => true,
    subscribe: (listener: ChangeListener) => void listeners.push(listener),
  };
  const cache = createResponseCache(feed);
  const change = (...tags: ChangeTag[] | ['all']) => {
    for (const listener of listeners)
      listener(tags[0] === 'all' ? 'all' : new Set(tags as ChangeTag[]), false);
  };
  /** As an order tells it, which publishes what it has changed. */
  const order = (...tags: ChangeTag[]) => {
    for (const listener of listeners) listener(new Set(tags), true);
  };
  let made = 0;
  /** The text of a response that says how many were made before it. */
  const text = async (key: string, dependencies?: CacheTag[], fresh: Partial<FreshResponse> = {}) => {
    const make = async () => {
      made += 1;
      return { headers: {}, body: `answer ${made}`, ...fresh };
    };
    return String((await cache.get(key, make, dependencies)).body);
  };
  return { cache, feed, change, order, text };
}

export const plain = (body: string | Buffer, more: Partial<FreshResponse> = {}): FreshResponse => ({
  headers: { 'content-type': 'text/plain' },
  body,
  ...more,
});

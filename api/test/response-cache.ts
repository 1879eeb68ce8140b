import type { CacheTag } from '@parts-forge/contract/calls/call';
import type { ChangeListener, ChangeTag } from '#src/platform/database/change-feed.ts';
import { createResponseCache, type FreshResponse } from '#src/platform/http/cache/response-cache.ts';

export function cacheWithChanges() {
  let receive: ChangeListener = () => {};
  const feed = {
    isConnected: true,
    isReachable: true,
    canReachDatabase: async () => feed.isReachable,
    subscribe: (listener: ChangeListener) => {
      receive = listener;
    },
  };
  const cache = createResponseCache(feed);
  let made = 0;
  /** Counts earlier renders. */
  const text = async (key: string, known?: CacheTag[], fresh: Partial<FreshResponse> = {}) => {
    const render = async () => {
      made += 1;
      return { headers: {}, body: `answer ${made}`, ...fresh };
    };
    return String((await cache.get(key, render, known)).body);
  };
  /** Renders until `end` is called. */
  const begin = (key: string, known?: CacheTag[]) => {
    const { promise, resolve, reject } = Promise.withResolvers<FreshResponse>();
    const response = cache.get(key, () => promise, known).then(({ body }) => String(body));
    const end = (body: string, fresh: Partial<FreshResponse> = {}) => {
      resolve(plain(body, fresh));
      return response;
    };
    return { response, end, fail: reject };
  };
  return {
    cache,
    feed,
    text,
    begin,
    change: (...tags: ChangeTag[]) => receive(new Set(tags), false),
    order: (...tags: ChangeTag[]) => receive(new Set(tags), true),
    missChanges: () => receive('all', false),
    loseDatabase: () => Object.assign(feed, { isConnected: false, isReachable: false }),
  };
}

export const plain = (body: string | Buffer, more: Partial<FreshResponse> = {}): FreshResponse => ({
  headers: { 'content-type': 'text/plain' },
  body,
  ...more,
});

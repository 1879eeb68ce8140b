import { MAX_LIVE_PRODUCTS } from '@parts-forge/contract/bounds';
import type { LiveProduct } from '@parts-forge/contract/live';
import { useEffect, useSyncExternalStore } from 'react';

/** What is known of the parts that this window watches, and since when it may be old. */
export interface LiveState {
  /** `off` before the first news, where nothing is watched, and while the window is hidden. */
  connection: 'off' | 'live' | 'lost';
  /** When the connection was lost; null while it was not. */
  lostAt: Date | null;
  /** By their ids; null for a part that is not sold any more. */
  products: ReadonlyMap<string, LiveProduct | null>;
}

const initialState: LiveState = { connection: 'off', lostAt: null, products: new Map() };
/** A stream that was refused is asked for again after this time, and later and later. */
const RETRY_MS = { first: 5_000, last: 60_000 };

/**
 * The one stream of events of this window (contract, `GET /live`), for all that its components watch. It is closed while
 * nobody sees the window. After a broken connection the browser comes back by itself; after a refusal it would not.
 */
function createLiveProducts() {
  const watches = new Map<object, readonly string[]>();
  const listeners = new Set<() => void>();
  let state = initialState;
  let source: EventSource | null = null;
  let watched = '';
  let isUpdating = false;
  let retries = 0;
  let retryTimer: ReturnType<typeof setTimeout> | undefined;

  const change = (changes: Partial<LiveState>) => {
    state = { ...state, ...changes };
    for (const listener of listeners) listener();
  };

  /** Opens the stream of what is watched now; several components that come and go together do so once. */
  const updateSoon = () => {
    if (isUpdating) return;
    isUpdating = true;
    queueMicrotask(() => {
      isUpdating = false;
      update();
    });
  };

  function update(): void {
    const ids = [...new Set([...watches.values()].flat())].sort().slice(0, MAX_LIVE_PRODUCTS);
    const wanted = document.visibilityState === 'hidden' || !navigator.onLine ? '' : ids.join(',');
    if (wanted === watched && (source || wanted === '')) return;
    close();
    watched = wanted;
    forgetOthers(ids);
    if (wanted !== '') open(wanted);
    else if (state.connection === 'live') change({ connection: 'off' });
  }

  /** What nobody watches any more would be old when somebody comes back to it. */
  function forgetOthers(ids: readonly string[]): void {
    const products = new Map([...state.products].filter(([id]) => ids.includes(id)));
    if (products.size < state.products.size) change({ products });
  }

  function open(ids: string): void {
    if (!('EventSource' in globalThis)) return;
    source = new EventSource(`/live?products=${encodeURIComponent(ids)}`);
    source.addEventListener('product', ({ data }) => {
      const product: LiveProduct = JSON.parse(data);
      note(product._id, product);
    });
    source.addEventListener('gone', ({ data }) => note(JSON.parse(data)._id, null));
    source.addEventListener('error', () => {
      lose();
      if (source?.readyState === EventSource.CLOSED) retryLater();
    });
  }

  function note(id: string, product: LiveProduct | null): void {
    retries = 0;
    const products = new Map(state.products).set(id, product);
    change({ connection: 'live', lostAt: null, products });
  }

  function lose(): void {
    if (state.connection !== 'lost') change({ connection: 'lost', lostAt: new Date() });
  }

  function retryLater(): void {
    close();
    const waitMs = Math.min(RETRY_MS.last, RETRY_MS.first * 2 ** retries);
    retries += 1;
    retryTimer = setTimeout(update, waitMs);
  }

  function close(): void {
    clearTimeout(retryTimer);
    source?.close();
    source = null;
  }

  const noteOffline = () => {
    lose();
    update();
  };

  return {
    getState: () => state,
    subscribe(listener: () => void): () => void {
      if (listeners.size === 0) {
        document.addEventListener('visibilitychange', update);
        addEventListener('online', update);
        addEventListener('offline', noteOffline);
      }
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        document.removeEventListener('visibilitychange', update);
        removeEventListener('online', update);
        removeEventListener('offline', noteOffline);
      };
    },
    /** @returns ends it */
    watch(ids: readonly string[]): () => void {
      const watch = {};
      watches.set(watch, ids);
      updateSoon();
      return () => {
        watches.delete(watch);
        updateSoon();
      };
    },
  };
}

const liveProducts = createLiveProducts();

/** Watches these parts as long as the component is there: 50 of them at most in one window. */
export function useLiveProducts(ids: readonly string[]): LiveState {
  const list = ids.join(',');
  useEffect(() => (list === '' ? undefined : liveProducts.watch(list.split(','))), [list]);
  return useSyncExternalStore(liveProducts.subscribe, liveProducts.getState, () => initialState);
}

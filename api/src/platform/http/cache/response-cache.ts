import type { CacheTag } from '@parts-forge/contract/calls/call';
import { LRUCache } from 'lru-cache';
import { type RequestContext, requestContext } from '#src/platform/core/request-context.ts';
import type { ChangeFeed, ChangeTag } from '#src/platform/database/change-feed.ts';
import { createEtag, type Encoding } from './content-negotiation.ts';

/** Searches and cursors, forged ones too, have endless addresses. */
const MAX_BYTES = 32 * 1024 * 1024;
const MAX_ENTRIES = 1000;
/** Maximum staleness of a list after another customer's order. */
const MAX_STALE_MS = 500;
/** A slower render may hang: later requests start their own. */
const MAX_SHARED_MS = 5_000;

/** Holds the body before compression. */
export interface FreshResponse {
  /** 200 unless it is given. */
  status?: number;
  headers: Record<string, string>;
  body: string | Buffer;
  /** Absent: all that it may depend on. */
  dependencies?: Dependencies;
  /** False for a response that others must not get, such as a page with a failed part. */
  isCacheable?: boolean;
  /** The age of its oldest part; absent when all are current. */
  ageSeconds?: number;
}

export interface CachedResponse extends Required<Omit<FreshResponse, 'body' | 'ageSeconds'>> {
  body: Buffer;
  etag: string;
  encoded: Map<Encoding, Promise<Buffer>>;
  madeAtMs: number;
  /** Changes may have been missed: served only during an outage, with its age. */
  isStale: boolean;
  /** A list whose part was ordered since. */
  isChanged: boolean;
}

type Render = () => Promise<FreshResponse>;
type Dependencies = ReadonlySet<CacheTag>;
type Changed = ReadonlySet<ChangeTag> | 'all';

/**
 * Caches until the content changes (docs/decisions/0011). The key is the address, with query parameters in
 * canonical order: the router refuses two routes of one address. After an order a list may be stale for half a
 * second, but not for a recent writer or inside a page.
 */
export interface ResponseCache {
  readonly counts: Record<'cached' | 'stale' | 'made', number>;
  /** Null unless others may get it. */
  find(key: string): CachedResponse | null;
  /**
   * @param known absent when only the render tells
   * @throws the error of `render`; nothing is cached then
   */
  get(key: string, render: Render, known?: readonly CacheTag[]): Promise<CachedResponse>;
}

export function createResponseCache(
  changes: Pick<ChangeFeed, 'isConnected' | 'canReachDatabase' | 'subscribe'>,
): ResponseCache {
  const counts = { cached: 0, stale: 0, made: 0 };
  const entries = createEntries();
  const flights = createFlights((key, response, isChanged) =>
    changes.isConnected ? entries.keep(key, response, isChanged) : response,
  );
  changes.subscribe((changed, isOrder) => {
    entries.invalidate(changed, isOrder);
    flights.note(changed, isOrder);
  });

  const renderOrFallBack = createRenders(changes, entries, flights);
  return {
    counts,
    find(key) {
      const entry = entries.get(key);
      return entry && isShown(entry, false) ? entry : null;
    },
    async get(key, render, known) {
      const reader = requestContext.current();
      const entry = reader.hasJustWritten ? null : entries.get(key);
      let dependencies: Iterable<CacheTag> = known ?? [];
      try {
        const isHit = entry && isShown(entry, reader.dependencies !== undefined);
        const response = isHit ? entry : await renderOrFallBack(key, render, known, reader);
        counts[isHit ? 'cached' : response.isStale ? 'stale' : 'made'] += 1;
        dependencies = response.dependencies;
        return response;
      } finally {
        // Failed parts count too.
        for (const tag of dependencies) reader.dependencies?.add(tag);
      }
    },
  };
}

/** Renders; while the database is unreachable, returns a response that is not known to have changed. */
function createRenders(
  changes: Pick<ChangeFeed, 'isConnected' | 'canReachDatabase'>,
  entries: ReturnType<typeof createEntries>,
  flights: ReturnType<typeof createFlights>,
) {
  async function findFallback(key: string): Promise<CachedResponse | null> {
    const find = () => (entries.get(key)?.isChanged === false ? entries.get(key) : null);
    return find() && !(await changes.canReachDatabase()) ? find() : null;
  }

  return async function renderOrFallBack(
    key: string,
    render: Render,
    mayShow: readonly CacheTag[] | undefined,
    { hasJustWritten, dependencies: ofPage }: RequestContext,
  ): Promise<CachedResponse> {
    const fallback = changes.isConnected ? null : await findFallback(key);
    if (fallback) return fallback;
    const known = mayShow ? new Set(mayShow) : null;
    const showsList = isList(known ?? entries.get(key)?.dependencies ?? new Set());
    // It may have begun before a write in another process, or before a missed change.
    const mayJoin = changes.isConnected && !hasJustWritten;
    const shared = mayJoin ? flights.join(key, ofPage !== undefined) : null;
    const rendered = shared ?? flights.start(key, render, known, showsList);
    const response = await rendered.catch(
      async (error: unknown) => (await findFallback(key)) ?? Promise.reject(error),
    );
    return response.isCacheable ? response : ((await findFallback(key)) ?? response);
  };
}

function createEntries() {
  /** A change visits only its dependents. */
  const keysByTag = new Map<ChangeTag, Set<string>>();
  const cache = new LRUCache<string, CachedResponse>({
    max: MAX_ENTRIES,
    maxSize: MAX_BYTES,
    // Compressed forms are added later; together they are rarely larger than the body.
    sizeCalculation: ({ body }) => 2 * body.length + 1,
    onInsert({ dependencies }, key) {
      for (const tag of dependencies) keysByTag.set(tag, (keysByTag.get(tag) ?? new Set()).add(key));
    },
    dispose({ dependencies }, key) {
      for (const tag of dependencies) {
        keysByTag.get(tag)?.delete(key);
        if (keysByTag.get(tag)?.size === 0) keysByTag.delete(tag);
      }
    },
  });
  return {
    get: (key: string): CachedResponse | null => cache.get(key) ?? null,
    invalidate(changed: Changed, isOrder: boolean): void {
      const keysOf = (tag: ChangeTag) => [...(keysByTag.get(tag) ?? [])];
      for (const key of changed === 'all' ? [...cache.keys()] : [...changed].flatMap(keysOf)) {
        const entry = cache.peek(key);
        if (entry && changed === 'all') entry.isStale = true;
        else if (entry && isOrder && isList(entry.dependencies)) entry.isChanged = true;
        else cache.delete(key);
      }
    },
    /** Returns the former entry, with its compressed forms, if the content is the same. */
    keep(key: string, response: CachedResponse, isChanged: boolean): CachedResponse {
      const { madeAtMs, isStale, etag } = response;
      const former = cache.get(key);
      if (former && isChanged && former.madeAtMs >= madeAtMs) return response;
      const entry = former?.etag === etag ? former : response;
      Object.assign(entry, { madeAtMs, isStale, isChanged });
      if (entry !== former) cache.set(key, entry);
      return entry;
    },
  };
}

interface Flight {
  key: string;
  response: Promise<CachedResponse> | null;
  beganAtMs: number;
  known: Dependencies | null;
  isList: boolean;
  ordered: Set<ChangeTag | 'all'>;
  changed: Set<ChangeTag | 'all'>;
}

/** Requests join the latest render, unless a change they must see came later. */
function createFlights(keep: ReturnType<typeof createEntries>['keep']) {
  const flights = new Set<Flight>();

  async function run(flight: Flight, render: Render): Promise<CachedResponse> {
    try {
      const response = finish(await render(), flight);
      const { isCacheable, dependencies } = response;
      const isChanged = touches(flight.ordered, dependencies);
      const isOutdated = touches(flight.changed, dependencies) || (isChanged && !isList(dependencies));
      return isCacheable && !isOutdated ? keep(flight.key, response, isChanged) : response;
    } finally {
      flights.delete(flight);
    }
  }

  return {
    note(changed: Changed, isOrder: boolean): void {
      const tags = changed === 'all' ? ['all' as const] : changed;
      for (const flight of flights)
        for (const tag of tags) (isOrder ? flight.ordered : flight.changed).add(tag);
    },
    join(key: string, mustBeCurrent: boolean): Promise<CachedResponse> | null {
      const flight = [...flights].findLast((each) => each.key === key);
      if (!flight || touches(flight.changed, flight.known)) return null;
      const isChanged = touches(flight.ordered, flight.known);
      if (isChanged && (mustBeCurrent || !flight.isList)) return null;
      const maxAgeMs = isChanged ? MAX_STALE_MS : MAX_SHARED_MS;
      return Date.now() - flight.beganAtMs <= maxAgeMs ? flight.response : null;
    },
    start(key: string, render: Render, known: Dependencies | null, isList: boolean) {
      const began = { key, known, isList, beganAtMs: Date.now(), response: null };
      const flight: Flight = { ...began, ordered: new Set(), changed: new Set() };
      flights.add(flight);
      flight.response = run(flight, render);
      return flight.response;
    },
  };
}

/** Null dependencies: any change may be in it. */
const touches = (changed: ReadonlySet<ChangeTag | 'all'>, dependencies: Dependencies | null): boolean =>
  changed.has('all') || (dependencies === null ? changed.size > 0 : !dependencies.isDisjointFrom(changed));

const isList = (dependencies: Dependencies): boolean =>
  dependencies.has('catalogue') || dependencies.has('products');

const isShown = ({ isStale, isChanged, madeAtMs }: CachedResponse, mustBeCurrent: boolean): boolean =>
  !isStale && (!isChanged || (!mustBeCurrent && Date.now() - madeAtMs <= MAX_STALE_MS));

function finish(fresh: FreshResponse, { known, beganAtMs }: Flight): CachedResponse {
  const { body, ageSeconds = 0, ...rest } = fresh;
  return {
    status: 200,
    isCacheable: true,
    dependencies: known ?? new Set(),
    ...rest,
    body: Buffer.from(body),
    etag: createEtag(body, rest.headers),
    encoded: new Map(),
    madeAtMs: beganAtMs - ageSeconds * 1000,
    isStale: ageSeconds > 0,
    isChanged: false,
  };
}

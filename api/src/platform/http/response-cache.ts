import type { CacheTag } from '@parts-forge/contract/call';
import { LRUCache } from 'lru-cache';
import { requestContext } from '#src/platform/core/request-context.ts';
import type { ChangeFeed, ChangeTag } from '#src/platform/database/change-feed.ts';
import { createEtag, type Encoding } from './content-negotiation.ts';
import type { SentHead } from './sent-head.ts';
import { createShareNext } from './share-next.ts';
import { createTagIndex } from './tag-index.ts';

/**
 * Bytes of bodies and of their compressed forms; searches and cursors make ever new answers, also forged ones, and
 * the least recently used goes first.
 */
const MAX_BYTES = 32 * 1024 * 1024;
const MAX_ENTRIES = 1000;
/** A making that takes longer is waited for by nobody who comes later. */
const MAX_SHARED_MS = 5_000;
/** Lists and pages are shown as they were before an order of somebody else for no longer than this ... */
const MAX_BEHIND_MS = 500;
/** ... and are made anew for orders no more often than this. */
const MIN_RENEWAL_MS = 200;

/** What a public read is answered with, before it is compressed. */
export interface FreshResponse {
  /** 200 when absent. */
  status?: number;
  headers: Record<string, string>;
  body: string | Buffer;
  /** What it has turned out to depend on; absent: on what it may depend on, as was known before. */
  dependencies?: ReadonlySet<CacheTag>;
  /** False for what must not be shown to the next one, such as a page on which a part failed. */
  isCacheable?: boolean;
  /** How old the oldest part of it is, in seconds; absent where everything was made now. */
  ageSeconds?: number;
}

/** An answer as a route has sent it. */
export interface SentAnswer {
  head: SentHead;
  /** Null for an answer without one. */
  body: Buffer | null;
  /** Counts an answer that took so many seconds; null where nothing is measured. */
  observe: ((seconds: number) => void) | null;
}

export interface CachedResponse {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
  etag: string;
  isCacheable: boolean;
  dependencies: ReadonlySet<CacheTag>;
  encoded: Map<Encoding, Promise<Buffer>>;
  /** The answers that it was sent in; see `response-front.ts`. */
  sent: Map<string, SentAnswer>;
  /** When its oldest part was made, in milliseconds since 1970. */
  madeAtMs: number;
  /** Changes may have been missed since it was made: shown, with its age, while the database is away. */
  isStale: boolean;
  /** When something was ordered that it shows, in milliseconds since 1970; null while nothing was. */
  behindSinceMs: number | null;
  /** Whether somebody is making what comes after it. */
  isBeingRenewed: boolean;
}

interface PendingResponse {
  response: Promise<CachedResponse>;
  /** Null while it is not known what the response depends on. */
  dependencies: ReadonlySet<CacheTag> | null;
  startedAtMs: number;
  /** What has changed since, but for orders; `all` when changes may have been missed. */
  changed: Set<ChangeTag | 'all'>;
  ordered: Set<ChangeTag>;
}

/**
 * Answers and pages that are the same for everyone, cached as finished bytes until something that they depend on
 * changes, with an ETag, 304 and compression (contract, "Ground rules").
 *
 * Lists, and pages with one, are shown to others as they were before an order, for half a second at most, while one
 * request makes them anew: nobody else waits for it, and they are not made after every order
 * (docs/decisions/0098). Whoever has just written something is shown nothing that is behind, and so is no page made of it.
 *
 * Simultaneous requests for one key share one making, but for who asks after a change of what it may depend on. A
 * response that was being made when something changed that it turns out to depend on is given to those who wait for it
 * and is not cached.
 *
 * What may have missed a change stays in memory as stale. It is shown while the database cannot be reached, and only
 * then: else it is made anew. What is known to have changed is never shown again (docs/decisions/0020).
 */
export interface ResponseCache {
  /** Responses since the start: from memory, stale from memory while the database was away, made. */
  readonly counts: Record<'cached' | 'stale' | 'made', number>;
  /** The response of a key while it may be shown to others, else null. Looking for it keeps it from being forgotten. */
  find(key: string): CachedResponse | null;
  /**
   * The response of a key, cached or made now.
   * @param dependencies what it may depend on; absent where only making it tells
   * @throws whatever `make` throws; nothing is cached then
   */
  get(
    key: string,
    make: () => Promise<FreshResponse>,
    dependencies?: readonly CacheTag[],
  ): Promise<CachedResponse>;
}

/**
 * Keys name their kind, so that no address of a page is that of a call. Each address has one route, which takes it as it
 * is written (`refuseRewrittenPaths`).
 * @param address path and parameters in their one order, as the front meets them
 */
export const callKey = (address: string): string => `call ${address}`;
/** The same for pages and their data. */
export const pageKey = (address: string): string => `page ${address}`;
/** The same for other files that the server makes. */
export const fileKey = (address: string): string => `file ${address}`;

export function createResponseCache(
  changes: Pick<ChangeFeed, 'isConnected' | 'canReachDatabase' | 'subscribe'>,
): ResponseCache {
  const index = createTagIndex();
  const counts = { cached: 0, stale: 0, made: 0 };
  /** Those that whoever asks now may wait for, and all of them. */
  const pending = new Map<string, PendingResponse>();
  const makings = new Set<PendingResponse>();
  const shareNext = createShareNext<CachedResponse>();
  const cache = new LRUCache<string, CachedResponse>({
    max: MAX_ENTRIES,
    maxSize: MAX_BYTES,
    // Compressed forms come later; both together are seldom larger than the body.
    sizeCalculation: ({ body }) => 2 * body.length + 1,
    onInsert: ({ dependencies }, key) => index.add(key, dependencies),
    dispose: ({ dependencies }, key) => index.remove(key, dependencies),
  });

  changes.subscribe((changed, isOrder) => {
    if (changed === 'all') markStale();
    else if (isOrder) markBehind(changed);
    else for (const key of index.findKeys(changed)) cache.delete(key);
    for (const making of makings) {
      if (changed === 'all') making.changed.add('all');
      else for (const tag of changed) (isOrder ? making.ordered : making.changed).add(tag);
    }
    for (const [key, { dependencies }] of pending) {
      const mayShow = changed === 'all' || dependencies === null || !dependencies.isDisjointFrom(changed);
      if (mayShow) pending.delete(key);
    }
  });

  /** A part by itself is made anew when it is next asked for. */
  function markBehind(ordered: ReadonlySet<ChangeTag>): void {
    for (const key of index.findKeys(ordered)) {
      const response = cache.peek(key);
      if (!response) continue;
      if (isList(response)) response.behindSinceMs ??= Date.now();
      else cache.delete(key);
    }
  }

  function markStale(): void {
    for (const key of index.findKeys('all')) {
      const response = cache.peek(key);
      if (response) response.isStale = true;
    }
  }

  /** The stale response of a key if there is one and the database cannot be reached, else null. */
  async function findStale(key: string): Promise<CachedResponse | null> {
    if (!mayBeStale(key) || (await changes.canReachDatabase())) return null;
    return mayBeStale(key) ? (cache.get(key) ?? null) : null;
  }

  /** What is known to have changed is not. */
  const mayBeStale = (key: string): boolean => cache.peek(key)?.behindSinceMs === null;

  async function makeOrFallBack(
    key: string,
    makeResponse: () => Promise<FreshResponse>,
    dependencies: ReadonlySet<CacheTag> | null,
  ): Promise<CachedResponse> {
    const stale = changes.isConnected ? null : await findStale(key);
    if (stale) return stale;
    // What was begun before a change that nobody heard of must not be given to who asks after it.
    const shared = changes.isConnected ? pending.get(key) : undefined;
    const isHanging = shared !== undefined && Date.now() - shared.startedAtMs > MAX_SHARED_MS;
    const making = shared && !isHanging ? shared.response : make(key, makeResponse, dependencies);
    try {
      const made = await making;
      return made.isCacheable ? made : ((await findStale(key)) ?? made);
    } catch (error) {
      // The database may have gone away meanwhile.
      const fallback = await findStale(key);
      if (fallback) return fallback;
      throw error;
    }
  }

  /** What came out as it is cached already, by another making, is that one, which has been compressed and sent before. */
  function preferCached(key: string, made: CachedResponse): CachedResponse {
    const cached = cache.peek(key);
    if (!cached || cached.isStale || cached.etag !== made.etag) return made;
    cached.madeAtMs = made.madeAtMs;
    return cached;
  }

  function make(
    key: string,
    makeResponse: () => Promise<FreshResponse>,
    dependencies: ReadonlySet<CacheTag> | null,
  ): Promise<CachedResponse> {
    const response = makeResponse().then((fresh) => preferCached(key, finish(fresh, dependencies)));
    const startedAtMs = Date.now();
    const entry: PendingResponse = {
      response,
      dependencies,
      startedAtMs,
      changed: new Set(),
      ordered: new Set(),
    };
    pending.set(key, entry);
    makings.add(entry);
    const former = cache.peek(key);
    if (former) former.isBeingRenewed = true;
    const settle = (made?: CachedResponse) => {
      makings.delete(entry);
      if (pending.get(key) === entry) pending.delete(key);
      if (former) former.isBeingRenewed = false;
      if (!made?.isCacheable || !changes.isConnected) return;
      const { changed, ordered } = entry;
      if (changed.has('all') || !made.dependencies.isDisjointFrom(changed)) return;
      const isCurrent = made.dependencies.isDisjointFrom(ordered);
      if (!isCurrent && !isList(made)) return;
      made.behindSinceMs = isCurrent ? null : startedAtMs;
      cache.set(key, made);
    };
    response.then(settle, () => settle());
    return response;
  }

  /** Past what is cached or was begun before, and cached for nobody: for whoever has just written something. */
  async function makeForOne(
    key: string,
    makeResponse: () => Promise<FreshResponse>,
    known: readonly CacheTag[] | undefined,
  ): Promise<CachedResponse> {
    try {
      return await shareNext(key, async () => {
        counts.made += 1;
        return finish(await makeResponse(), known ? new Set(known) : null);
      });
    } catch (error) {
      const stale = await findStale(key);
      if (stale) return stale;
      throw error;
    }
  }

  /** What is current, or is behind for so little that others are shown it while one makes it anew. */
  function findShown(key: string): CachedResponse | null {
    const cached = cache.get(key);
    if (!cached || cached.isStale) return null;
    const { behindSinceMs, madeAtMs, isBeingRenewed } = cached;
    if (behindSinceMs === null) return cached;
    const now = Date.now();
    const isShown =
      now - behindSinceMs < MAX_BEHIND_MS && (isBeingRenewed || now - madeAtMs < MIN_RENEWAL_MS);
    return isShown ? cached : null;
  }

  async function findOrMake(
    key: string,
    makeResponse: () => Promise<FreshResponse>,
    known: readonly CacheTag[] | undefined,
  ): Promise<CachedResponse> {
    const { readsOwnWrites, hasJustWritten, dependencies: ofPage } = requestContext.current();
    if (readsOwnWrites) return makeForOne(key, makeResponse, known);
    const cached = findShown(key);
    if (cached && (cached.behindSinceMs === null || !(hasJustWritten || ofPage))) {
      counts.cached += 1;
      return cached;
    }
    const response = await makeOrFallBack(key, makeResponse, known ? new Set(known) : null);
    counts[response.isStale ? 'stale' : 'made'] += 1;
    return response;
  }

  return {
    counts,
    find: findShown,
    async get(key, makeResponse, known) {
      try {
        const response = await findOrMake(key, makeResponse, known);
        collect(response.dependencies);
        return response;
      } catch (error) {
        collect(known ?? []);
        throw error;
      }
    },
  };
}

/** Whether it shows which parts there are, or which are in stock, and not one part by itself. */
const isList = ({ dependencies }: CachedResponse): boolean =>
  dependencies.has('catalogue') || dependencies.has('products');

/** A page that is being made depends on what the answers in it depend on. */
function collect(dependencies: Iterable<CacheTag>): void {
  const { dependencies: collected } = requestContext.current();
  for (const tag of dependencies) collected?.add(tag);
}

function finish(
  { status = 200, headers, body, dependencies, isCacheable = true, ageSeconds = 0 }: FreshResponse,
  known: ReadonlySet<CacheTag> | null,
): CachedResponse {
  const bytes = Buffer.from(body);
  return {
    status,
    headers,
    body: bytes,
    etag: createEtag(body, headers),
    isCacheable,
    dependencies: dependencies ?? known ?? new Set(),
    encoded: new Map(),
    sent: new Map(),
    madeAtMs: Date.now() - ageSeconds * 1000,
    isStale: ageSeconds > 0,
    behindSinceMs: null,
    isBeingRenewed: false,
  };
}

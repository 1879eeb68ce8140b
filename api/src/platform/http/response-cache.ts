import type { CacheTag } from '@parts-forge/contract/call';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { requestContext } from '#src/platform/core/request-context.ts';
import type { ChangeFeed, ChangeTag } from '#src/platform/database/change-feed.ts';
import {
  compress,
  createEtag,
  type Encoding,
  matchesEtag,
  negotiateEncoding,
  varyBy,
} from './content-negotiation.ts';
import { createShareNext } from './share-next.ts';

/**
 * Bytes of bodies and of their compressed forms; searches and cursors make ever new answers, also forged ones, and
 * the least recently used goes first.
 */
const MAX_BYTES = 32 * 1024 * 1024;
const MAX_ENTRIES = 1000;
/** A making that takes longer is waited for by nobody who comes later. */
const MAX_SHARED_MS = 5_000;
/** Below this many bytes compressing costs more than it saves. */
const MIN_COMPRESSED_BYTES = 600;

/** What a public read is answered with, before it is compressed. */
export interface FreshResponse {
  /** 200 when absent. */
  status?: number;
  headers: Record<string, string>;
  body: string | Buffer;
  /** What it depends on beyond what was known before it was made. */
  dependencies?: ReadonlySet<CacheTag>;
  /** False for what must not be shown to the next one, such as a page on which a part failed. */
  isCacheable?: boolean;
  /** How old the oldest part of it is, in seconds; absent where everything was made now. */
  ageSeconds?: number;
}

export interface CachedResponse {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
  etag: string;
  isCacheable: boolean;
  dependencies: ReadonlySet<CacheTag>;
  encoded: Map<Encoding, Promise<Buffer>>;
  /** When its oldest part was made, in milliseconds since 1970. */
  madeAtMs: number;
  /** Changes may have been missed since it was made: shown, with its age, while the database is away. */
  isStale: boolean;
}

interface PendingResponse {
  response: Promise<CachedResponse>;
  /** Null while it is not known what the response depends on. */
  dependencies: ReadonlySet<CacheTag> | null;
  startedAtMs: number;
}

/**
 * Answers and pages that are the same for everyone, cached as finished bytes until something that they depend on
 * changes, with an ETag, 304 and compression (contract, "Ground rules").
 *
 * Simultaneous requests for one key share one making. A response that was being made when something changed that
 * it depends on, or may depend on, is given to those who wait for it and is not cached.
 *
 * What may have missed a change stays in memory as stale. It is shown while the database cannot be reached, and only
 * then: else it is made anew. What is known to have changed is never shown again (docs/decisions/0020).
 */
export interface ResponseCache {
  /** Responses since the start: from memory, stale from memory while the database was away, made. */
  readonly counts: Readonly<Record<'cached' | 'stale' | 'made', number>>;
  /**
   * The response of a key, cached or made now.
   * @param dependencies what it depends on; absent where only making it tells
   * @throws whatever `make` throws; nothing is cached then
   */
  get(
    key: string,
    make: () => Promise<FreshResponse>,
    dependencies?: readonly CacheTag[],
  ): Promise<CachedResponse>;
}

export function createResponseCache(
  changes: Pick<ChangeFeed, 'isConnected' | 'canReachDatabase' | 'subscribe'>,
): ResponseCache {
  const index = createTagIndex();
  const counts = { cached: 0, stale: 0, made: 0 };
  const pending = new Map<string, PendingResponse>();
  const shareNext = createShareNext<CachedResponse>();
  const cache = new LRUCache<string, CachedResponse>({
    max: MAX_ENTRIES,
    maxSize: MAX_BYTES,
    // Compressed forms come later; both together are seldom larger than the body.
    sizeCalculation: ({ body }) => 2 * body.length + 1,
    onInsert: ({ dependencies }, key) => index.add(key, dependencies),
    dispose: ({ dependencies }, key) => index.remove(key, dependencies),
  });

  changes.subscribe((changed) => {
    if (changed === 'all') markStale();
    else for (const key of index.findKeys(changed)) cache.delete(key);
    for (const [key, { dependencies }] of pending) {
      const mayShow = changed === 'all' || dependencies === null || !dependencies.isDisjointFrom(changed);
      if (mayShow) pending.delete(key);
    }
  });

  function markStale(): void {
    for (const key of index.findKeys('all')) {
      const response = cache.peek(key);
      if (response) response.isStale = true;
    }
  }

  /** The stale response of a key if there is one and the database cannot be reached, else null. */
  async function findStale(key: string): Promise<CachedResponse | null> {
    if (!cache.has(key) || (await changes.canReachDatabase())) return null;
    return cache.get(key) ?? null;
  }

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

  function make(
    key: string,
    makeResponse: () => Promise<FreshResponse>,
    dependencies: ReadonlySet<CacheTag> | null,
  ): Promise<CachedResponse> {
    const response = makeResponse().then((fresh) => finish(fresh, dependencies));
    const entry: PendingResponse = { response, dependencies, startedAtMs: Date.now() };
    pending.set(key, entry);
    const settle = (made?: CachedResponse) => {
      if (pending.get(key) !== entry) return;
      pending.delete(key);
      if (made?.isCacheable && changes.isConnected) cache.set(key, made);
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

  return {
    counts,
    async get(key, makeResponse, known) {
      const { dependencies: collected, readsOwnWrites } = requestContext.current();
      for (const tag of known ?? []) collected?.add(tag);
      if (readsOwnWrites) return makeForOne(key, makeResponse, known);
      const cached = cache.get(key);
      if (cached && !cached.isStale) {
        counts.cached += 1;
        return cached;
      }
      const response = await makeOrFallBack(key, makeResponse, known ? new Set(known) : null);
      counts[response.isStale ? 'stale' : 'made'] += 1;
      return response;
    },
  };
}

/** Which keys depend on a tag, so that a change looks at no others. */
function createTagIndex() {
  const keysByTag = new Map<ChangeTag, Set<string>>();
  return {
    add(key: string, tags: ReadonlySet<CacheTag>): void {
      for (const tag of tags) {
        const keys = keysByTag.get(tag) ?? new Set();
        keysByTag.set(tag, keys.add(key));
      }
    },
    remove(key: string, tags: ReadonlySet<CacheTag>): void {
      for (const tag of tags) {
        const keys = keysByTag.get(tag);
        keys?.delete(key);
        if (keys?.size === 0) keysByTag.delete(tag);
      }
    },
    /** The keys as they are now: removing some of them meanwhile disturbs nothing. */
    findKeys(tags: ReadonlySet<ChangeTag> | 'all'): ReadonlySet<string> {
      const changed = tags === 'all' ? [...keysByTag.keys()] : [...tags];
      return new Set(changed.flatMap((tag) => [...(keysByTag.get(tag) ?? [])]));
    },
  };
}

function finish(
  {
    status = 200,
    headers,
    body,
    dependencies = new Set(),
    isCacheable = true,
    ageSeconds = 0,
  }: FreshResponse,
  known: ReadonlySet<CacheTag> | null,
): CachedResponse {
  const bytes = Buffer.from(body);
  return {
    status,
    headers,
    body: bytes,
    etag: createEtag(bytes, headers),
    isCacheable,
    dependencies: new Set([...(known ?? []), ...dependencies]),
    encoded: new Map(),
    madeAtMs: Date.now() - ageSeconds * 1000,
    isStale: ageSeconds > 0,
  };
}

/** Sends a response: 304 when the browser has it, else in the best encoding that it takes. */
export async function sendCached(
  request: FastifyRequest,
  reply: FastifyReply,
  response: CachedResponse,
): Promise<FastifyReply> {
  const { status, headers, body, etag } = response;
  reply.headers(headers);
  if (response.isStale) reply.header('age', String(Math.ceil((Date.now() - response.madeAtMs) / 1000)));
  varyBy(reply, status === 404 ? 'accept, accept-encoding' : 'accept-encoding');
  if (!response.isCacheable) {
    return reply.code(status).header('cache-control', 'no-store').send(body);
  }
  reply.header('etag', etag).header('cache-control', 'no-cache');
  if (status === 200 && matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send();
  reply.code(status);
  const encoding =
    body.length < MIN_COMPRESSED_BYTES ? null : negotiateEncoding(request.headers['accept-encoding']);
  if (encoding === null) return reply.send(body);
  let encoded = response.encoded.get(encoding);
  if (!encoded) {
    encoded = compress(body, encoding);
    response.encoded.set(encoding, encoded);
  }
  return reply.header('content-encoding', encoding).send(await encoded);
}

/** A short text that everyone may read, with an ETag and 304. The type is set before. */
export function sendWithEtag(request: FastifyRequest, reply: FastifyReply, body: string): FastifyReply {
  const etag = createEtag(body);
  reply.header('etag', etag).header('cache-control', 'no-cache');
  return matchesEtag(request.headers['if-none-match'], etag) ? reply.code(304).send() : reply.send(body);
}

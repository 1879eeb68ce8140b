import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Changes, Topic } from '#src/platform/database/change-feed.ts';
import {
  chosenEncoding,
  compress,
  type Encoding,
  matchesTag,
  varyBy,
} from '#src/platform/http/response-cache.ts';

/** Pages kept at most; searches make ever new ones, the longest unused goes first. */
const MAX_PAGES = 300;
const TOPICS: readonly Topic[] = ['products', 'reviews', 'users'];

/** A page as it was rendered. */
export interface Rendered {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
  /** What it shows: it is dropped when one of these changes. */
  topics: ReadonlySet<Topic>;
  /** False for what must not be shown to the next one, such as a page on which a part failed. */
  keep: boolean;
}

interface FinishedPage extends Rendered {
  etag: string;
  encoded: Map<Encoding, Promise<Buffer>>;
}

/**
 * Finished pages, rendered once and compressed once, until what they show changes. Simultaneous requests for
 * one page share one rendering. A page during whose making something changed is answered, and not kept.
 */
export function keptPages(changes: Pick<Changes, 'keeping' | 'generation' | 'on'>) {
  const kept = new Map<string, Promise<FinishedPage>>();
  const topicsOf = new WeakMap<Promise<FinishedPage>, ReadonlySet<Topic>>();
  for (const topic of TOPICS) {
    changes.on(topic, () => {
      for (const [key, page] of kept) {
        // What is still being made may show the topic.
        if (topicsOf.get(page)?.has(topic) ?? true) kept.delete(key);
      }
    });
  }

  return {
    /** The page, from memory or by `render`. @throws whatever `render` throws; nothing is kept then */
    find(key: string, render: () => Promise<Rendered>): Promise<FinishedPage> {
      const found = kept.get(key);
      if (found) {
        kept.delete(key);
        kept.set(key, found);
        return found;
      }
      const making = render().then(finished);
      if (!changes.keeping) return making;
      kept.set(key, making);
      if (kept.size > MAX_PAGES) kept.delete(kept.keys().next().value as string);
      const forget = () => {
        if (kept.get(key) === making) kept.delete(key);
      };
      making.then((page) => {
        topicsOf.set(making, page.topics);
        if (!page.keep || !changes.keeping) forget();
      }, forget);
      return making;
    },
  };
}

/** Sends a finished page: 304 when the browser has it, else in the best encoding that it takes. */
export async function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  page: FinishedPage,
): Promise<FastifyReply> {
  reply.headers(page.headers);
  varyBy(reply, page.status === 404 ? 'accept, accept-encoding' : 'accept-encoding');
  if (!page.keep) {
    return reply.code(page.status).header('cache-control', 'no-store').send(page.body);
  }
  reply.headers({ etag: page.etag, 'cache-control': 'no-cache' });
  if (page.status === 200 && matchesTag(request.headers['if-none-match'], page.etag))
    return reply.code(304).send();
  reply.code(page.status);
  const encoding = chosenEncoding(request.headers['accept-encoding']);
  if (encoding === null) return reply.send(page.body);
  let encoded = page.encoded.get(encoding);
  if (!encoded) {
    encoded = compress(page.body, encoding);
    page.encoded.set(encoding, encoded);
  }
  return reply.header('content-encoding', encoding).send(await encoded);
}

function finished(page: Rendered): FinishedPage {
  const hash = createHash('sha256').update(page.body).digest('base64url');
  return { ...page, etag: `W/"${hash.slice(0, 27)}"`, encoded: new Map() };
}

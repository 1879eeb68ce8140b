import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Changes, Topic } from '#src/platform/database/change-feed.ts';

export type Encoding = 'br' | 'gzip';
const brotli = promisify(brotliCompress);
const zip = promisify(gzip);
/** Below this many bytes compressing costs more than it saves. */
const MIN_COMPRESSED = 600;

/** What a public read answers with, before it is compressed. */
export interface Answer {
  body: string;
  headers?: Record<string, string>;
}

interface Kept {
  body: Buffer;
  etag: string;
  headers: Record<string, string>;
  encoded: Map<Encoding, Promise<Buffer>>;
}

/**
 * Public reads that are the same for everyone, kept as finished bytes until what they show changes, with an
 * ETag, 304 and compression (contract, "Ground rules").
 *
 * At most `max` answers are kept, the longest unused goes first. Simultaneous requests for one key share one
 * making; what was made while a change came in is answered once and not kept.
 */
export function keptAnswers(changes: Changes, topic: Topic, max = 500) {
  const kept = new Map<string, Promise<Kept>>();
  changes.on(topic, () => kept.clear());

  function find(key: string, make: () => Promise<Answer>): Promise<Kept> {
    const found = kept.get(key);
    if (found) {
      kept.delete(key);
      kept.set(key, found);
      return found;
    }
    const generation = changes.generation(topic);
    const making = make().then(finished);
    if (changes.keeping) {
      kept.set(key, making);
      if (kept.size > max) kept.delete(kept.keys().next().value as string);
    }
    const forget = () => {
      if (kept.get(key) === making) kept.delete(key);
    };
    making.then(() => generation !== changes.generation(topic) && forget(), forget);
    return making;
  }

  return {
    async send(request: FastifyRequest, reply: FastifyReply, key: string, make: () => Promise<Answer>) {
      return sendKept(request, reply, await find(key, make));
    },
  };
}

function finished({ body, headers = {} }: Answer): Kept {
  const bytes = Buffer.from(body);
  // Lists of the same rows may differ in their headers alone, so these belong to the tag.
  const hash = createHash('sha256').update(bytes).update(JSON.stringify(headers)).digest('base64url');
  return { body: bytes, etag: `W/"${hash.slice(0, 27)}"`, headers, encoded: new Map() };
}

async function sendKept(request: FastifyRequest, reply: FastifyReply, answer: Kept): Promise<FastifyReply> {
  reply.headers({
    ...answer.headers,
    etag: answer.etag,
    'cache-control': 'no-cache',
  });
  varyBy(reply, 'accept-encoding');
  if (matchesTag(request.headers['if-none-match'], answer.etag)) return reply.code(304).send();
  reply.type('application/json');
  const encoding =
    answer.body.length < MIN_COMPRESSED ? null : chosenEncoding(request.headers['accept-encoding']);
  if (encoding === null) return reply.send(answer.body);
  let encoded = answer.encoded.get(encoding);
  if (!encoded) {
    encoded = compress(answer.body, encoding);
    answer.encoded.set(encoding, encoded);
  }
  return reply.header('content-encoding', encoding).send(await encoded);
}

/** Adds to `Vary` what the answer depends on, beside what others have said there. */
export function varyBy(reply: FastifyReply, name: string): void {
  const said = reply.getHeader('vary');
  reply.header('vary', said ? `${said}, ${name}` : name);
}

/** A short text that everyone may read, with an ETag and 304. The type is set before. */
export function sendTagged(request: FastifyRequest, reply: FastifyReply, body: string): FastifyReply {
  const { etag } = finished({ body });
  reply.headers({ etag, 'cache-control': 'no-cache' });
  return matchesTag(request.headers['if-none-match'], etag) ? reply.code(304).send() : reply.send(body);
}

/** Brotli at a middle level: these answers live as long as nothing changes, not for ever. */
export const compress = (body: Buffer, encoding: Encoding, quality = 5): Promise<Buffer> =>
  encoding === 'br'
    ? brotli(body, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: quality,
          [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
          [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
        },
      })
    : zip(body, { level: 7 });

/** The best encoding that the browser takes (RFC 9110 §12.5.3); null for none. */
export function chosenEncoding(accepted: string | undefined): Encoding | null {
  if (!accepted) return null;
  const refused = new Set<string>();
  const taken = new Set<string>();
  for (const part of accepted.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim());
    (parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)) ? refused : taken).add(name);
  }
  const takes = (name: string) => taken.has(name) || (taken.has('*') && !refused.has(name));
  if (takes('br')) return 'br';
  return takes('gzip') ? 'gzip' : null;
}

/** Weak comparison of `If-None-Match` (RFC 9110 §13.1.2). */
export function matchesTag(header: string | undefined, etag: string): boolean {
  if (!header) return false;
  const plain = (tag: string) => tag.trim().replace(/^W\//, '');
  return header.trim() === '*' || header.split(',').some((tag) => plain(tag) === plain(etag));
}

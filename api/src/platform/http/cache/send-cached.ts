import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  compress,
  createEtag,
  type Encoding,
  isWorthCompressing,
  matchesEtag,
  negotiateEncoding,
  varyBy,
} from './content-negotiation.ts';
import type { CachedResponse } from './response-cache.ts';

declare module 'fastify' {
  interface FastifyReply {
    /** Null for other responses; the body as sent. */
    fromCache: { response: CachedResponse; body: Buffer | null } | null;
  }
}

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
  if (status === 200 && matchesEtag(request.headers['if-none-match'], etag)) {
    reply.fromCache = { response, body: null };
    return reply.code(304).send();
  }
  const encoding = isWorthCompressing(body) ? negotiateEncoding(request.headers['accept-encoding']) : null;
  const bytes = encoding === null ? body : await encode(response, encoding);
  if (encoding !== null) reply.header('content-encoding', encoding);
  reply.fromCache = { response, body: bytes };
  return reply.code(status).send(bytes);
}

function encode({ encoded, body }: CachedResponse, encoding: Encoding): Promise<Buffer> {
  let bytes = encoded.get(encoding);
  if (!bytes) {
    bytes = compress(body, encoding);
    encoded.set(encoding, bytes);
  }
  return bytes;
}

/** For public texts. Set the type before. */
export function sendWithEtag(request: FastifyRequest, reply: FastifyReply, body: string): FastifyReply {
  const etag = createEtag(body);
  reply.header('etag', etag).header('cache-control', 'no-cache');
  return matchesEtag(request.headers['if-none-match'], etag) ? reply.code(304).send() : reply.send(body);
}

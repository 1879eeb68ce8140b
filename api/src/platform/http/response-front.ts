import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { matchesEtag, negotiateEncoding } from './content-negotiation.ts';
import type { LoadShedding } from './load-shedding.ts';
import { hasJustWritten } from './own-writes.ts';
import type { AddressLimit } from './rate-limits.ts';
import type { FindSeries } from './request-metrics.ts';
import { callKey, fileKey, pageKey, type ResponseCache } from './response-cache.ts';
import { readSentHead, repeatHead } from './sent-head.ts';

/** What guards the routes guards the front as well. */
export interface FrontGuards {
  responses: ResponseCache;
  load: LoadShedding;
  /** Null with `RATE_LIMITS=off`. */
  limit: AddressLimit | null;
  /** Null where nothing is measured. */
  findSeries: FindSeries | null;
}

/**
 * Repeats what a route has answered while the response cache holds it as valid, before the framework routes the request,
 * runs its hooks and builds the headers anew, which costs more than the answer (docs/decisions/0075).
 *
 * The routes stay the truth: nothing is answered here that a route has not answered before, at the very same address, by
 * the same method, in the same encoding. Whatever is not as plain as that goes on to them.
 */
export interface ResponseFront {
  /** The listener of the HTTP server: answers what can be repeated and passes on the rest. */
  before(serve: RequestListener): RequestListener;
  /** From now on repeats what the routes answer that are registered after this. */
  open(app: FastifyInstance, guards: FrontGuards): void;
}

export function createResponseFront(): ResponseFront {
  let guards: FrontGuards | null = null;
  return {
    before: (serve) => (request, response) => {
      if (guards === null || !repeat(guards, request, response)) serve(request, response);
    },
    open(app, given) {
      app.decorateReply('fromCache', null);
      app.addHook('onResponse', (request, reply, done) => {
        remember(given, request, reply);
        done();
      });
      // A closing server says so in its answers.
      app.addHook('preClose', (done) => {
        guards = null;
        done();
      });
      guards = given;
    },
  };
}

const findByAddress = (responses: ResponseCache, address = '') =>
  responses.find(callKey(address)) ?? responses.find(pageKey(address)) ?? responses.find(fileKey(address));

/** @returns whether it has answered */
function repeat(guards: FrontGuards, request: IncomingMessage, response: ServerResponse): boolean {
  const { responses, load, limit } = guards;
  const cached = findByAddress(responses, request.url);
  if (cached === null || !isPlain(request)) return false;
  const begun = performance.now();
  const { headers } = request;
  const status = matchesEtag(headers['if-none-match'], cached.etag) ? 304 : 200;
  const sent = cached.sent.get(nameAnswer(request, status));
  if (!sent || !response.shouldKeepAlive || load.isFull() || limit?.admits(request) === false) return false;
  responses.counts.cached += 1;
  repeatHead(response, sent.head);
  response.end(sent.body);
  const { observe } = sent;
  // Mostly the system has taken it all by now.
  if (response.writableLength === 0) observe?.((performance.now() - begun) / 1000);
  else {
    load.watch(response);
    if (observe) response.once('finish', () => observe((performance.now() - begun) / 1000));
  }
  return true;
}

/** Keeps the answer as it was sent, if the next such request may be answered with it. */
function remember(
  { responses, findSeries }: FrontGuards,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const { fromCache, statusCode } = reply;
  const { url, config } = request.routeOptions;
  // What has a limit of its own is rare enough for its route.
  if (fromCache === null || config.rateLimit !== undefined || !isPlain(request.raw)) return;
  const { response, body } = fromCache;
  // An address that is not written as the cache writes it is answered by its route each time, and so is what is stale.
  if (findByAddress(responses, request.raw.url) !== response) return;
  const head = readSentHead(reply.raw, request.id);
  if (!head) return;
  response.sent.set(nameAnswer(request.raw, statusCode), {
    head,
    body: request.method === 'HEAD' ? null : body,
    observe: findSeries?.(url ?? '', request.method, statusCode) ?? null,
  });
}

const nameAnswer = ({ method, headers }: IncomingMessage, status: number): string =>
  `${method} ${status} ${negotiateEncoding(headers['accept-encoding'])}`;

const countHosts = ({ rawHeaders }: IncomingMessage): number => {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts;
};

/** Whether nothing but its address, its method and what it accepts decides about the answer. */
function isPlain(request: IncomingMessage): boolean {
  const { method, httpVersion, headers } = request;
  return (
    (method === 'GET' || method === 'HEAD') &&
    httpVersion === '1.1' &&
    countHosts(request) === 1 &&
    headers.origin === undefined &&
    headers.expect === undefined &&
    headers.upgrade === undefined &&
    headers['content-length'] === undefined &&
    headers['transfer-encoding'] === undefined &&
    !hasJustWritten(request)
  );
}

/**
 * The fast path answers a public read before the framework does, which takes a third of the time (docs/decisions/0011).
 *
 * It may answer GET and HEAD of exactly the address at which a route has answered before, by the same method and in the
 * same encoding, while the response cache still shows that very response. That is safe because a route has decided all
 * of it: the fast path repeats status, headers and body, with a request id of its own, and makes no decision. It counts
 * the request in the same rate limit and figures as the route. Every other request goes on to the routes: another
 * spelling, a body, another origin, a recent writer, an exceeded limit, a crowded or closing shop (`isPlain`, `repeat`).
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { LoadShedding } from '#src/platform/http/limits/load-shedding.ts';
import type { AddressLimit } from '#src/platform/http/limits/rate-limits.ts';
import type { FindSeries } from '#src/platform/http/request-metrics.ts';
import { matchesEtag, negotiateEncoding } from './content-negotiation.ts';
import { hasJustWritten } from './read-your-writes.ts';
import { type CachedResponse, callKey, fileKey, pageKey, type ResponseCache } from './response-cache.ts';

/** An answer as a route has sent it. */
interface SentAnswer {
  /** Its head before the request id, from there to the date, and from there to the end. */
  head: readonly [string, string, string];
  /** Null for an answer without one. */
  body: Buffer | null;
  /** Counts an answer that took so many seconds; null where nothing is measured. */
  observe: ((seconds: number) => void) | null;
}

/** The guards of the routes, which hold here as well. */
export interface FastPathGuards {
  responses: ResponseCache;
  load: LoadShedding;
  /** Null with `RATE_LIMITS=off`. */
  limit: AddressLimit | null;
  /** Null where nothing is measured. */
  findSeries: FindSeries | null;
}

export interface FastPath {
  /** The listener of the HTTP server: answers what can be repeated and passes on the rest. */
  before(serve: RequestListener): RequestListener;
  /** From now on repeats answers of the routes that are registered after this. */
  open(app: FastifyInstance, guards: FastPathGuards): void;
}

/** The answers in which a cached response was sent, by method, status and encoding. */
const sentAnswers = new WeakMap<CachedResponse, Map<string, SentAnswer>>();

export function createFastPath(): FastPath {
  let guards: FastPathGuards | null = null;
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
function repeat(guards: FastPathGuards, request: IncomingMessage, response: ServerResponse): boolean {
  const { responses, load, limit } = guards;
  const cached = findByAddress(responses, request.url);
  if (cached === null || !isPlain(request)) return false;
  const begun = performance.now();
  const status = matchesEtag(request.headers['if-none-match'], cached.etag) ? 304 : 200;
  const sent = sentAnswers.get(cached)?.get(nameAnswer(request, status));
  if (!sent || !response.shouldKeepAlive || load.isFull() || limit?.admits(request) === false) return false;
  responses.counts.cached += 1;
  writeHead(response, status, sent.head);
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
  { responses, findSeries }: FastPathGuards,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const { fromCache, statusCode } = reply;
  const { url, config } = request.routeOptions;
  // A route with a limit of its own is asked rarely enough.
  if (fromCache === null || config.rateLimit !== undefined || !isPlain(request.raw)) return;
  const { response, body } = fromCache;
  // Null for an address in another spelling than the cache's own, and for a stale response: their route answers each time.
  if (findByAddress(responses, request.raw.url) !== response) return;
  const head = readHead(reply.raw, request.id);
  if (head === null) return;
  const sent = sentAnswers.get(response) ?? new Map<string, SentAnswer>();
  sentAnswers.set(response, sent);
  sent.set(nameAnswer(request.raw, statusCode), {
    head,
    body: request.method === 'HEAD' ? null : body,
    observe: findSeries?.(url ?? '', request.method, statusCode) ?? null,
  });
}

/**
 * Node keeps the text of a head in `_header` until the body follows: not documented, but as old as `node:http`. Sending
 * that text again saves Node's check of each header, without which pages took 0.65 to 0.70 of bare node:http in place of
 * 0.86 to 0.90. Where the property is missing or different, the routes answer. Keep-alive, the order of answers and the
 * end of connections stay Node's.
 */
interface WrittenResponse extends ServerResponse {
  _header?: string | null;
}

/** @returns null for the last answer of a connection, and for a head without the id or a date */
function readHead(response: WrittenResponse, requestId: string): SentAnswer['head'] | null {
  const text = response.shouldKeepAlive ? response._header : null;
  const [before, rest, ...more] = text?.split(requestId) ?? [];
  const [between, after] = rest?.split(/(?<=\r\nDate: )[^\r]+/) ?? [];
  if (!before || !between || !after || more.length > 0) return null;
  return [flatten(before), flatten(between), flatten(after)];
}

/** For a response whose head is not written yet. Its end has to follow at once. */
function writeHead(
  response: WrittenResponse,
  status: number,
  [before, between, after]: SentAnswer['head'],
): void {
  response.statusCode = status;
  response._header = before + randomUUID() + between + writeDate() + after;
}

/** A copy: a piece of a text is a view of the whole, which is slower to join. */
const flatten = (text: string) => Buffer.from(text, 'latin1').toString('latin1');

let date = { second: 0, text: '' };

/** The time of day as HTTP has it (RFC 9110 §5.6.7), written once a second. */
function writeDate(): string {
  const second = Math.floor(Date.now() / 1000);
  if (second !== date.second) date = { second, text: new Date(second * 1000).toUTCString() };
  return date.text;
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

/** Whether only its address, its method and the encodings that it accepts decide about the answer. */
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

/**
 * Repeats responses before the framework runs, in a third of the time (docs/decisions/0011).
 *
 * It answers a GET or HEAD over HTTP/1.1 whose response the framework has sent before, with the same
 * method, status and encoding, as long as the cache would give that response to anybody (`find`).
 *
 * That is safe, because
 * - the cache holds only responses that are equal for everyone, and drops them when their content changes;
 * - a request with a further header that could change the response goes to the framework (`isPlain`), and so
 *   does a recent writer's;
 * - the bytes are the framework's own; only the request id and the date are new;
 * - load shedding, rate limits and figures see each request; a full or closing server repeats nothing.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { LoadShedding } from '#src/platform/http/limits/load-shedding.ts';
import type { AddressLimit } from '#src/platform/http/limits/rate-limits.ts';
import type { FindSeries } from '#src/platform/http/request-metrics.ts';
import { matchesEtag, negotiateEncoding } from './content-negotiation.ts';
import { hasJustWritten } from './read-your-writes.ts';
import type { CachedResponse, ResponseCache } from './response-cache.ts';

interface SentAnswer {
  /** Before the request id, from there to the date, and the rest. */
  head: readonly [string, string, string];
  body: Buffer | null;
  /** Null without metrics. */
  observe: ((seconds: number) => void) | null;
}

export interface FastPathGuards {
  responses: ResponseCache;
  load: LoadShedding;
  /** Null with `RATE_LIMITS=off`. */
  limit: AddressLimit | null;
  findSeries: FindSeries | null;
}

export type FastPath = ReturnType<typeof createFastPath>;

const sentAnswers = new WeakMap<CachedResponse, Map<string, SentAnswer>>();

export function createFastPath() {
  let guards: FastPathGuards | null = null;
  return {
    before:
      (serve: RequestListener): RequestListener =>
      (request, response) => {
        if (guards === null || !repeat(guards, request, response)) serve(request, response);
      },
    /** Call before routes are registered. */
    open(app: FastifyInstance, given: FastPathGuards): void {
      app.decorateReply('fromCache', null);
      app.addHook('onResponse', (request, reply, done) => {
        remember(given, request, reply);
        done();
      });
      // A closing server says so in its responses.
      app.addHook('preClose', (done) => {
        guards = null;
        done();
      });
      guards = given;
    },
  };
}

function repeat(guards: FastPathGuards, request: IncomingMessage, response: ServerResponse): boolean {
  const { responses, load, limit } = guards;
  const cached = responses.find(request.url ?? '');
  if (cached === null || !isPlain(request)) return false;
  const begun = performance.now();
  const status = matchesEtag(request.headers['if-none-match'], cached.etag) ? 304 : 200;
  const sent = sentAnswers.get(cached)?.get(nameAnswer(request, status));
  if (!sent || !response.shouldKeepAlive || load.isFull() || limit?.admits(request) === false) return false;
  responses.counts.cached += 1;
  writeHead(response, status, sent.head);
  response.end(sent.body);
  const { observe } = sent;
  // Usually the system has taken the whole response by now.
  if (response.writableLength === 0) observe?.((performance.now() - begun) / 1000);
  else {
    load.watch(response);
    if (observe) response.once('finish', () => observe((performance.now() - begun) / 1000));
  }
  return true;
}

function remember(
  { responses, findSeries }: FastPathGuards,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const { fromCache, statusCode } = reply;
  const { url, config } = request.routeOptions;
  // Such routes get few requests.
  if (fromCache === null || config.rateLimit !== undefined || !isPlain(request.raw)) return;
  const { response, body } = fromCache;
  // Null for a non-canonical address or a stale response.
  if (responses.find(request.raw.url ?? '') !== response) return;
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
 * Resending the undocumented `_header` skips Node's check of headers: pages reach 0.86 to 0.90 of bare
 * node:http instead of 0.65 to 0.70.
 */
interface WrittenResponse extends ServerResponse {
  _header?: string | null;
}

/** Null for a connection's last response, and for a head without id or date. */
function readHead(response: WrittenResponse, requestId: string): SentAnswer['head'] | null {
  const text = response.shouldKeepAlive ? response._header : null;
  const [before, rest, ...more] = text?.split(requestId) ?? [];
  const [between, after] = rest?.split(/(?<=\r\nDate: )[^\r]+/) ?? [];
  if (!before || !between || !after || more.length > 0) return null;
  return [flatten(before), flatten(between), flatten(after)];
}

/** The response's end has to follow at once. */
function writeHead(
  response: WrittenResponse,
  status: number,
  [before, between, after]: SentAnswer['head'],
): void {
  response.statusCode = status;
  response._header = before + randomUUID() + between + writeDate() + after;
}

/** A slice is a view of the whole text, which is slower to join. */
const flatten = (text: string) => Buffer.from(text, 'latin1').toString('latin1');

let date = { second: 0, text: '' };

/** Rendered once a second (RFC 9110 §5.6.7). */
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

/** Only address, method and accepted encodings decide the response. */
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

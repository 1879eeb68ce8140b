import type { ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '#src/platform/core/config.ts';
import { Problem } from '#src/platform/core/problem.ts';
import { toProblem } from '#src/platform/http/error-handler.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    requestTimeoutMs?: number;
    neverShed?: boolean;
    /** No timeout while its reader keeps reading. */
    longResponse?: boolean;
    /** Endless: counts as no work, and cuts slow readers off itself. */
    isStream?: boolean;
  }
}

/** The contract requires 500 at least. */
const MAX_IN_FLIGHT = 1000;
/** A timer per request would cost more than a cached response. */
const SWEEP_MS = 250;

export type LoadShedding = ReturnType<typeof shedLoad>;

type Timeouts = Pick<Config, 'requestTimeoutMs' | 'bodyTimeoutMs' | 'responseTimeoutMs'>;

/**
 * Refuses excess requests before any work. A request is in flight from the last byte of its body to the
 * first of its response. Work of abandoned requests continues.
 */
export function shedLoad(app: FastifyInstance, timeouts: Timeouts) {
  const inFlight = new Set<FastifyReply>();
  const arriving = new Map<FastifyReply, number>();
  const leaving = createLeaving(timeouts);

  const begin = (reply: FastifyReply): Problem | undefined => {
    inFlight.add(reply);
    reply.raw.once('close', () => {
      inFlight.delete(reply);
      leaving.forget(reply.raw);
    });
    if (inFlight.size <= MAX_IN_FLIGHT || reply.routeOptions.config.neverShed) return undefined;
    moveAnswered(inFlight, leaving);
    return inFlight.size > MAX_IN_FLIGHT ? new Problem('overloaded', { retryAfterSeconds: 2 }) : undefined;
  };

  app.addHook('onRequest', (request, reply, done) => {
    if (!hasBody(request)) return done(begin(reply));
    const timeoutMs = reply.routeOptions.config.requestTimeoutMs ?? timeouts.bodyTimeoutMs;
    arriving.set(reply, performance.now() + timeoutMs);
    request.raw.once('close', () => arriving.delete(reply));
    done();
  });
  app.addHook('preValidation', (_request, reply, done) => {
    done(inFlight.has(reply) ? undefined : begin(reply));
  });

  logLateErrors(app);
  const sweep = setInterval(() => {
    const now = performance.now();
    moveAnswered(inFlight, leaving);
    for (const [reply, until] of arriving) if (now > until) refuseLate(reply);
    // A handler reads its form itself, so the body may still be arriving.
    for (const reply of inFlight) if (!arriving.has(reply)) giveUp(reply, timeouts.requestTimeoutMs);
    leaving.cutOffLate(now);
  }, SWEEP_MS);
  sweep.unref();
  app.addHook('onClose', async () => clearInterval(sweep));

  return {
    isFull: (): boolean => inFlight.size >= MAX_IN_FLIGHT,
    /** Cuts off a reader who does not take the response. */
    watch(response: ServerResponse): void {
      leaving.add(response, false);
      response.once('close', () => leaving.forget(response));
    },
  };
}

/** After the timeout there is no response left to send: an error goes into the log alone. */
function logLateErrors(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const { handler } = route;
    route.handler = function (request, reply) {
      const handled: unknown = handler.call(this, request, reply);
      if (!(handled instanceof Promise)) return handled;
      return handled.catch((error) => {
        if (!reply.sent) throw error;
        toProblem(error, request);
      });
    };
  });
}

function moveAnswered(inFlight: Set<FastifyReply>, leaving: ReturnType<typeof createLeaving>): void {
  for (const reply of inFlight) {
    if (!reply.raw.headersSent) continue;
    inFlight.delete(reply);
    const { isStream, longResponse = false } = reply.routeOptions.config;
    if (!isStream) leaving.add(reply.raw, longResponse);
  }
}

function createLeaving({ responseTimeoutMs }: Timeouts) {
  const responses = new Map<ServerResponse, number>();
  /** Bytes of a long response, when its deadline was set. */
  const taken = new WeakMap<ServerResponse, number>();
  return {
    add(response: ServerResponse, isLong: boolean) {
      responses.set(response, performance.now() + responseTimeoutMs);
      if (isLong) taken.set(response, countTaken(response));
    },
    forget: (response: ServerResponse) => responses.delete(response),
    /** A long response needs only progress. */
    cutOffLate(now: number) {
      for (const [response, until] of responses) {
        if (now <= until) continue;
        const before = taken.get(response);
        const sent = countTaken(response);
        if (before === undefined || sent === before) {
          response.destroy();
          continue;
        }
        taken.set(response, sent);
        responses.set(response, now + responseTimeoutMs);
      }
    },
  };
}

const countTaken = ({ socket }: ServerResponse): number =>
  socket ? socket.bytesWritten - socket.writableLength : 0;

/** Bodies of GET and HEAD are never read. */
const hasBody = ({ method, headers }: FastifyRequest) =>
  method !== 'GET' &&
  method !== 'HEAD' &&
  (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0);

function giveUp(reply: FastifyReply, requestTimeoutMs: number): void {
  const timeoutMs = reply.routeOptions.config.requestTimeoutMs ?? requestTimeoutMs;
  if (reply.elapsedTime <= timeoutMs || reply.sent) return;
  reply.send(new Problem('unavailable', { detail: 'This takes too long. Try again.' }));
}

/**
 * The reader of the body gets a connection error and answers with it. After a response, only the connection
 * ends.
 */
function refuseLate(reply: FastifyReply): void {
  const { raw } = reply.request;
  if (reply.raw.headersSent) raw.destroy();
  else if (raw.listenerCount('error') > 0) raw.emit('error', new Problem('too-slow'));
  else if (!reply.sent) reply.header('connection', 'close').send(new Problem('too-slow'));
}

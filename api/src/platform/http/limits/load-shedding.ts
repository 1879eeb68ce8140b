import type { ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '#src/platform/core/config.ts';
import { Problem } from '#src/platform/core/problem.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** In milliseconds, where a request and its body may take longer than others, such as an upload over a slow line. */
    requestTimeoutMs?: number;
    /** Whether it is answered however much is in flight: who watches the shop has to be told. */
    neverShed?: boolean;
    /** Whether its answer may take as long as it takes, as long as its reader goes on taking it. */
    longResponse?: boolean;
    /** Whether its answer goes on for as long as somebody listens: it is no work, and who does not take it is cut off there. */
    isStream?: boolean;
  }
}

/** Requests in flight from which on further ones are turned away; the contract wants 500 at least. */
const MAX_IN_FLIGHT = 1000;
/** How often those are looked for that take too long: a timer for each request would cost more than a cached answer. */
const SWEEP_MS = 250;

/** What answers before the routes need of it. */
export interface LoadShedding {
  /** Whether so much is in flight that further requests may be turned away. */
  isFull(): boolean;
  /** Cuts the reader of an answer that was made off, too, who does not take it. */
  watch(response: ServerResponse): void;
}

type Timeouts = Pick<Config, 'requestTimeoutMs' | 'bodyTimeoutMs' | 'responseTimeoutMs'>;

/**
 * Turns requests away while too many are in flight, before anything is done for them, and gives up those that take too
 * long. In flight is what costs work: from the last byte of the body, where there is one, to the first of the answer.
 * A body that does not arrive is refused (408) and a reader who does not take the answer is cut off; neither keeps
 * others out. What a request was doing when it was given up goes on.
 */
export function shedLoad(app: FastifyInstance, timeouts: Timeouts): LoadShedding {
  const inFlight = new Set<FastifyReply>();
  /** Replies whose body is still to come, until when it may; on the clock of `performance.now()`. */
  const arriving = new Map<FastifyReply, number>();
  const leaving = createLeaving(timeouts);

  /** @returns the refusal when there are too many; costs cached answers next to nothing */
  const begin = (reply: FastifyReply): Problem | undefined => {
    inFlight.add(reply);
    reply.raw.once('close', () => {
      inFlight.delete(reply);
      leaving.forget(reply.raw);
    });
    if (inFlight.size <= MAX_IN_FLIGHT || reply.routeOptions.config.neverShed) return undefined;
    moveAnswered();
    return inFlight.size > MAX_IN_FLIGHT ? new Problem('overloaded', { retryAfterSeconds: 2 }) : undefined;
  };

  const moveAnswered = () => {
    for (const reply of inFlight) {
      if (!reply.raw.headersSent) continue;
      inFlight.delete(reply);
      const { isStream, longResponse = false } = reply.routeOptions.config;
      if (!isStream) leaving.add(reply.raw, longResponse);
    }
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

  const sweep = setInterval(() => {
    const now = performance.now();
    moveAnswered();
    for (const [reply, until] of arriving) if (now > until) refuseLate(reply);
    // A form is read by its handler, so its body may still be on its way.
    for (const reply of inFlight) if (!arriving.has(reply)) giveUp(reply, timeouts.requestTimeoutMs);
    leaving.cutOffLate(now);
  }, SWEEP_MS);
  sweep.unref();
  app.addHook('onClose', async () => clearInterval(sweep));

  return {
    isFull: () => inFlight.size >= MAX_IN_FLIGHT,
    watch(response) {
      leaving.add(response, false);
      response.once('close', () => leaving.forget(response));
    },
  };
}

/** The answers that are still to be taken by their readers. */
function createLeaving({ responseTimeoutMs }: Timeouts) {
  /** Until when each may be taken. */
  const responses = new Map<ServerResponse, number>();
  /** How many bytes of an answer that may be long had been taken when its time was set. */
  const taken = new WeakMap<ServerResponse, number>();
  return {
    add(response: ServerResponse, isLong: boolean) {
      responses.set(response, performance.now() + responseTimeoutMs);
      if (isLong) taken.set(response, countTaken(response));
    },
    forget: (response: ServerResponse) => responses.delete(response),
    /** Cuts readers off who have not taken a whole answer in time, or nothing more of a long one. */
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

/** Bytes that have left this process on the connection. */
const countTaken = ({ socket }: ServerResponse): number =>
  socket ? socket.bytesWritten - socket.writableLength : 0;

/** Whether a body follows that is waited for: those of GET and HEAD are never read. */
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
 * Whoever reads the body hears of it as of a line that broke, and answers with this. One that was refused by its head
 * has had its answer, so that only its connection is left to end.
 */
function refuseLate(reply: FastifyReply): void {
  const { raw } = reply.request;
  if (reply.raw.headersSent) raw.destroy();
  else if (raw.listenerCount('error') > 0) raw.emit('error', new Problem('too-slow'));
  else if (!reply.sent) reply.header('connection', 'close').send(new Problem('too-slow'));
}

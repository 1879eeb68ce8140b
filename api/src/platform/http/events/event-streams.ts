import type { ServerResponse } from 'node:http';
import { normalizeIP } from '@fastify/rate-limit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '#src/platform/core/config.ts';
import type { Metrics } from '#src/platform/core/metrics.ts';
import { Problem } from '#src/platform/core/problem.ts';
import { createTally } from '#src/platform/core/tally.ts';

declare module 'fastify' {
  interface FastifyInstance {
    eventStreams: EventStreams;
  }
}

/** Proxies close idle connections, many after half a minute. */
const COMMENT_SECONDS = 25;
/** Unread data stays in our memory, so slower readers are cut off. */
const MAX_UNREAD_BYTES = 32 * 1024;
/** The spread keeps browsers from reconnecting all at once. */
const RECONNECT_MS = { least: 1_000, spread: 3_000 };
const RETRY_SECONDS = 30;
/** The rest is for other requests, as streams last. */
const CONNECTIONS_SHARE = 0.8;

/** A proxy must not buffer the response. */
const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
};

export type SendEvents = (text: string) => void;

export type EventStreams = ReturnType<typeof createEventStreams>;

/** JSON has no line breaks, which would end the data. */
export const formatEvent = (name: string, data: object): string =>
  `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

/** WHATWG HTML, "Server-sent events". */
export function createEventStreams(
  app: FastifyInstance,
  config: Pick<Config, 'maxStreamsPerAddress' | 'maxConnections'>,
  metrics: Metrics | null,
) {
  const heartbeat = createHeartbeat(COMMENT_SECONDS);
  const streams = new Set<ServerResponse>();
  const admission = createAdmission(config);
  let isClosing = false;
  app.addHook('preClose', (done) => {
    isClosing = true;
    for (const response of streams) endStream(response);
    done();
  });
  const gauge = metrics?.gauge({ name: 'shop_event_streams', help: 'Open event streams.' });
  metrics?.beforeReading(() => gauge?.set(streams.size));

  return {
    /**
     * The stream ends when its reader leaves or stops reading, or the shop closes. HEAD gets only headers.
     * @param subscribe returns a function for the stream's end
     * @throws Problem `too-many` for the address, `overloaded` for all together
     */
    open(
      { ip, method }: FastifyRequest,
      reply: FastifyReply,
      subscribe: (send: SendEvents) => () => void,
    ): void {
      if (isClosing) throw new Problem('unavailable', { retryAfterSeconds: 1 });
      const leave = admission.enter(ip);
      reply.hijack();
      const response = reply.raw;
      response.on('error', () => {});
      response.once('close', leave);
      writeHead(reply);
      if (method === 'HEAD') return void response.end();
      const reconnectMs = RECONNECT_MS.least + Math.round(Math.random() * RECONNECT_MS.spread);
      response.write(`retry: ${reconnectMs}\n\n`);
      streams.add(response);
      const stopHeartbeat = heartbeat.join(response);
      const unsubscribe = subscribe((text) => send(response, text));
      response.once('close', () => {
        streams.delete(response);
        stopHeartbeat();
        unsubscribe();
      });
    },
  };
}

function writeHead(reply: FastifyReply): void {
  for (const [name, value] of Object.entries({ ...reply.getHeaders(), ...streamHeaders })) {
    if (value !== undefined) reply.raw.setHeader(name, value);
  }
  reply.raw.writeHead(200);
}

function send(response: ServerResponse, text: string): void {
  if (response.destroyed || response.writableEnded) return;
  if (response.writableLength > MAX_UNREAD_BYTES) response.destroy();
  else response.write(text);
}

function endStream(response: ServerResponse): void {
  const { socket } = response;
  if (response.writableLength > 0) response.destroy();
  else response.end(() => socket?.destroySoon());
}

function createAdmission({
  maxStreamsPerAddress,
  maxConnections,
}: Pick<Config, 'maxStreamsPerAddress' | 'maxConnections'>) {
  const open = createTally();
  return {
    /** Call the returned function once. @throws Problem `too-many`, `overloaded` */
    enter(ip: string): () => void {
      const network = normalizeIP(ip);
      if (open.of(network) >= maxStreamsPerAddress) {
        const detail = 'There are too many streams of events to your address.';
        throw new Problem('too-many', { detail, retryAfterSeconds: RETRY_SECONDS });
      }
      if (open.total >= maxConnections * CONNECTIONS_SHARE) {
        throw new Problem('overloaded', { retryAfterSeconds: RETRY_SECONDS });
      }
      return open.enter(network);
    },
  };
}

/** Each second serves a share of the streams, which avoids bursts. */
function createHeartbeat(seconds: number) {
  const shares = Array.from({ length: seconds }, () => new Set<ServerResponse>());
  let second = 0;
  let members = 0;
  let timer: NodeJS.Timeout | undefined;
  const beat = () => {
    second = (second + 1) % seconds;
    for (const response of shares[second] ?? []) send(response, ':\n\n');
  };
  return {
    join(response: ServerResponse): () => void {
      // The second just passed comes last in the cycle.
      const share = shares[second];
      share?.add(response);
      members += 1;
      timer ??= setInterval(beat, 1000).unref();
      return () => {
        share?.delete(response);
        members -= 1;
        if (members > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
  };
}

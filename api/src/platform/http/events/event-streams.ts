import type { ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '#src/platform/core/config.ts';
import type { Metrics } from '#src/platform/core/metrics.ts';
import { Problem } from '#src/platform/core/problem.ts';
import { toNetwork } from '#src/platform/http/limits/connection-limits.ts';

declare module 'fastify' {
  interface FastifyInstance {
    eventStreams: EventStreams;
  }
}

/** Proxies close a connection that says nothing, many of them after half a minute. */
const COMMENT_SECONDS = 25;
/** Who has not taken so much of what was sent is cut off, as it would wait in our memory. */
const MAX_UNREAD_BYTES = 32 * 1024;
/** Browsers come back after a second at least, and not all of them at once. */
const RECONNECT_MS = { least: 1_000, spread: 3_000 };
/** For those that were turned away. */
const RETRY_SECONDS = 30;
/** Streams stay, so they leave some of the connections to those who read. */
const CONNECTIONS_SHARE = 0.8;

/** A proxy must not wait for the end of the answer before it passes it on. */
const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
};

/** Sends events as `formatEvent` writes them; nothing once the stream has ended. */
export type SendEvents = (text: string) => void;

/** The streams of server-sent events of this process (WHATWG HTML, "Server-sent events"). */
export interface EventStreams {
  /**
   * Answers with a stream, which ends when its reader leaves or does not take what is sent, or the shop closes. HEAD is
   * answered with the headers alone.
   * @param subscribe begins to send; what it gives back is called when the stream has ended
   * @throws Problem `too-many` when the address has too many streams, `overloaded` when all together have
   */
  open(request: FastifyRequest, reply: FastifyReply, subscribe: (send: SendEvents) => () => void): void;
}

/** An event in the format of the stream; JSON has no line breaks, which would end the data. */
export const formatEvent = (name: string, data: object): string =>
  `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

export function createEventStreams(
  app: FastifyInstance,
  config: Pick<Config, 'maxStreamsPerAddress' | 'maxConnections'>,
  metrics: Metrics | null,
): EventStreams {
  const heartbeat = createHeartbeat(COMMENT_SECONDS);
  const streams = new Set<ServerResponse>();
  const admission = createAdmission(config);
  let isClosing = false;
  app.addHook('preClose', (done) => {
    isClosing = true;
    for (const response of streams) endStream(response);
    done();
  });
  const gauge = metrics?.gauge({ name: 'shop_event_streams', help: 'Streams of events that are open.' });
  metrics?.beforeReading(() => gauge?.set(streams.size));

  return {
    open({ ip, method }, reply, subscribe) {
      if (isClosing) throw new Problem('unavailable', { retryAfterSeconds: 1 });
      const leave = admission.enter(ip);
      reply.hijack();
      const response = reply.raw;
      // A line that breaks ends the stream; nobody is left to be told of it.
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

/** What the hooks of every answer have set, and what makes it a stream. */
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

/** Who has not taken what was sent is not waited for; the connection goes with the stream. */
function endStream(response: ServerResponse): void {
  const { socket } = response;
  if (response.writableLength > 0) response.destroy();
  else response.end(() => socket?.destroySoon());
}

/** Counts the streams of each address and of all. */
function createAdmission({
  maxStreamsPerAddress,
  maxConnections,
}: Pick<Config, 'maxStreamsPerAddress' | 'maxConnections'>) {
  const counts = new Map<string, number>();
  let total = 0;
  return {
    /** @returns to be called once, when the stream has ended. @throws Problem `too-many`, `overloaded` */
    enter(ip: string): () => void {
      const network = toNetwork(ip);
      const count = counts.get(network) ?? 0;
      if (count >= maxStreamsPerAddress) {
        const detail = 'There are too many streams of events to your address.';
        throw new Problem('too-many', { detail, retryAfterSeconds: RETRY_SECONDS });
      }
      if (total >= maxConnections * CONNECTIONS_SHARE) {
        throw new Problem('overloaded', { retryAfterSeconds: RETRY_SECONDS });
      }
      counts.set(network, count + 1);
      total += 1;
      return () => {
        const left = (counts.get(network) ?? 1) - 1;
        if (left > 0) counts.set(network, left);
        else counts.delete(network);
        total -= 1;
      };
    },
  };
}

/**
 * Sends each stream a comment every so many seconds. Each second has its share of the streams, so that thousands of them
 * are no burst; without streams nothing runs.
 */
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
      // The second that has just passed comes again last.
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

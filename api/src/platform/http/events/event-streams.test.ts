import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createEventStreams, formatEvent, type SendEvents } from './event-streams.ts';

let app: FastifyInstance;
/** The `send` of each open stream, in order. */
let sends: SendEvents[];
let ended: number;

beforeEach(async () => {
  sends = [];
  ended = 0;
  app = Fastify();
  const streams = createEventStreams(app, { maxStreamsPerAddress: 10, maxConnections: 100 }, null);
  app.get('/stream', async (request, reply) => {
    streams.open(request, reply, (send) => {
      sends.push(send);
      return () => {
        ended += 1;
      };
    });
    return reply;
  });
  await app.listen({ port: 0 });
});
afterEach(() => {
  vi.useRealTimers();
  return app.close();
});

async function listen(): Promise<{ response: IncomingMessage; received: () => string }> {
  const { port } = app.server.address() as AddressInfo;
  const asked = get({ port, path: '/stream', agent: false });
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  let received = '';
  response.on('error', () => {});
  asked.on('error', () => {});
  response.setEncoding('utf8').on('data', (text: string) => {
    received += text;
  });
  return { response, received: () => received };
}

test('a browser reconnects after one to four seconds and receives events', async () => {
  const { received } = await listen();
  sends[0]?.(formatEvent('product', { _id: 'a' }));
  await expect.poll(received).toMatch(/^retry: [1-4]\d{3}\n\nevent: product\ndata: \{"_id":"a"\}\n\n$/);
});

test('a comment comes every 25 seconds', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const { received } = await listen();
  vi.advanceTimersByTime(24_000);
  sends[0]?.('data: before\n\n');
  vi.advanceTimersByTime(1_000);
  vi.advanceTimersByTime(25_000);
  await expect.poll(received).toMatch(/\n\ndata: before\n\n:\n\n:\n\n$/);
});

test('a reader who stops reading is cut off', async () => {
  const { response } = await listen();
  response.pause();
  const cutOff = new Promise<void>((resolve) => response.once('close', () => resolve()));
  const large = formatEvent('product', { text: 'x'.repeat(1_000_000) });
  for (let count = 0; count < 50 && ended === 0; count += 1) {
    sends[0]?.(large);
    await new Promise(setImmediate);
  }
  await expect.poll(() => ended).toBe(1);
  response.resume();
  await cutOff;
});

test('events after a reader has left are dropped', async () => {
  const { response } = await listen();
  response.destroy();
  await expect.poll(() => ended).toBe(1);
  expect(() => sends[0]?.('data: late\n\n')).not.toThrow();
});

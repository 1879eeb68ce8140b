import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { TestShop } from './start-shop.ts';

export interface WireAnswer {
  /** Status line and headers. */
  head: string;
  body: Buffer;
  status: number;
  /** Whether a route handler ran. */
  isRouted: boolean;
}

/** Sends this exact head. */
export async function exchange(shop: TestShop, method: string, path: string, lines: readonly string[] = []) {
  const routed = new Set<string>();
  const note = (message: unknown) => {
    const { request } = message as { request: FastifyRequest };
    if (request.server === shop.app) routed.add(request.raw.url ?? '');
  };
  // Published for each run of a handler.
  const channel = 'tracing:fastify.request.handler:start';
  subscribe(channel, note);
  try {
    const bytes = await send(
      shop,
      [`${method} ${path} HTTP/1.1`, ...lines, '', ''].join('\r\n'),
      (received) => isWhole(method, received),
    );
    return readAnswer(bytes, routed.has(path));
  } finally {
    unsubscribe(channel, note);
  }
}

/** Until done or closed. */
export async function send(
  shop: TestShop,
  text: string,
  isEnough: (received: Buffer) => boolean,
): Promise<Buffer> {
  const socket = connect(shop.config.port, '127.0.0.1', () => socket.write(text));
  let received: Buffer = Buffer.alloc(0);
  socket.on('data', (part: Buffer) => {
    received = Buffer.concat([received, part]);
    if (isEnough(received)) socket.destroy();
  });
  await once(socket, 'close');
  return received;
}

/** Ignores interim responses; without a length, the connection's end counts. */
function isWhole(method: string, bytes: Buffer): boolean {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return false;
  const { head, body, status } = readAnswer(bytes, false);
  if (status === 100) return isWhole(method, body);
  if (method === 'HEAD' || status === 304) return true;
  return body.length >= Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? Number.POSITIVE_INFINITY);
}

function readAnswer(bytes: Buffer, isRouted: boolean): WireAnswer {
  const end = bytes.indexOf('\r\n\r\n');
  const head = bytes.toString('latin1', 0, end);
  return { head, body: bytes.subarray(end + 4), status: Number(head.split(' ')[1]), isRouted };
}

/** Drops values that always differ. */
export const withoutMoment = ({ head }: WireAnswer): string =>
  head.replace(/^date: .*$/im, 'date').replace(/^x-request-id: .*$/im, 'id');

/** Undefined for none. */
export const readHeader = ({ head }: WireAnswer, name: string): string | undefined =>
  new RegExp(`^${name}: (.*?)\r?$`, 'im').exec(head)?.[1];

/** Enough, although caches refresh every 30 seconds. */
const ATTEMPTS = 5;

/**
 * Until no handler runs.
 * @returns the handler's last response, and the first repeated one
 */
export async function readUntilRepeated(
  shop: TestShop,
  ...asking: [method: string, path: string, lines?: readonly string[]]
) {
  let routed: WireAnswer | null = null;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const answer = await exchange(shop, ...asking);
    if (!answer.isRouted && routed) return { routed, repeated: answer };
    routed = answer;
  }
  throw new Error(`${asking.join(' ')} was answered by its route each time.`);
}

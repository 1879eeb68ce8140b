import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { TestShop } from './start-shop.ts';

/** An answer as it came over the line. */
export interface WireAnswer {
  /** Status line and headers. */
  head: string;
  body: Buffer;
  status: number;
  /** Whether a route was run for it. */
  isRouted: boolean;
}

/** Sends a head as it stands there, and takes the whole answer; the connection is ended here, unless a line says otherwise. */
export async function exchange(shop: TestShop, method: string, path: string, lines: readonly string[] = []) {
  const routed = new Set<string>();
  const note = (message: unknown) => {
    const { request } = message as { request: FastifyRequest };
    if (request.server === shop.app) routed.add(request.raw.url ?? '');
  };
  // Fastify tells of each handler that it runs.
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

/** Sends a text and takes what comes, until it is enough or the shop closes the connection. */
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

/** Whether an answer has come to its end, behind those that only tell to go on; one of unknown length ends with its line. */
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

/** The head without what differs between any two answers. */
export const withoutMoment = ({ head }: WireAnswer): string =>
  head.replace(/^date: .*$/im, 'date').replace(/^x-request-id: .*$/im, 'id');

/** The value of a header; undefined where there is none. */
export const readHeader = ({ head }: WireAnswer, name: string): string | undefined =>
  new RegExp(`^${name}: (.*?)\r?$`, 'im').exec(head)?.[1];

/** More than the times that everything is made anew, every thirty seconds, while a test asks three times. */
const ATTEMPTS = 5;

/**
 * Asks until no route is run for the answer any more.
 * @returns the last answer of a route and the first one that repeats it
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

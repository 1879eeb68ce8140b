import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { TestShop } from './start-shop.ts';

/** Addresses of this machine that stand for two people. */
export const ATTACKER = '127.0.0.2';
export const READER = '127.0.0.3';

/** A connection of which every byte is said by the test. */
export interface RawConnection {
  socket: Socket;
  /** All that came back. */
  received(): string;
  closed: Promise<void>;
}

/** Connects, and returns when the connection stands. @param text is sent at once */
export async function openRaw(shop: TestShop, from: string, text = ''): Promise<RawConnection> {
  const socket = connect({ port: shop.config.port, host: '127.0.0.1', localAddress: from });
  let answer = '';
  socket.setEncoding('utf8').on('data', (part: string) => {
    answer += part;
  });
  // What the server cuts off is an error here, and what the test is about.
  socket.on('error', () => {});
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  await once(socket, 'connect');
  socket.write(text);
  return { socket, received: () => answer, closed };
}

/** In waves: what the system holds back of too many at once never comes as far as the shop. */
export async function openMany(
  count: number,
  shop: TestShop,
  from: string,
  text = '',
): Promise<RawConnection[]> {
  const all: RawConnection[] = [];
  while (all.length < count) {
    const wave = Math.min(200, count - all.length);
    all.push(...(await Promise.all(Array.from({ length: wave }, () => openRaw(shop, from, text)))));
  }
  return all;
}

/** The status of a read on a connection of its own. */
export async function readStatus(shop: TestShop, path: string, from: string): Promise<number | undefined> {
  const asked = request(shop.url + path, { localAddress: from, agent: false }).end();
  const [response] = await once(asked, 'response');
  await once(response.resume(), 'end');
  return response.statusCode;
}

/** Connections that stand at the server. */
export const countConnections = ({ app }: TestShop): Promise<number> =>
  new Promise((resolve, reject) => {
    app.server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  });

import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { TestShop } from './start-shop.ts';

/** Local addresses of two clients. */
export const ATTACKER = '127.0.0.2';
export const READER = '127.0.0.3';

/** The test writes every byte. */
export interface RawConnection {
  socket: Socket;
  /** Everything received. */
  received(): string;
  closed: Promise<void>;
}

/** Resolves once connected. @param text is sent at once */
export async function openRaw(shop: TestShop, from: string, text = ''): Promise<RawConnection> {
  const socket = connect({ port: shop.config.port, host: '127.0.0.1', localAddress: from });
  let answer = '';
  socket.setEncoding('utf8').on('data', (part: string) => {
    answer += part;
  });
  // Expected when the server cuts the connection.
  socket.on('error', () => {});
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  await once(socket, 'connect');
  socket.write(text);
  return { socket, received: () => answer, closed };
}

/** In waves, below the system's connection backlog. */
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

export async function readStatus(shop: TestShop, path: string, from: string): Promise<number | undefined> {
  const asked = request(shop.url + path, { localAddress: from, agent: false }).end();
  const [response] = await once(asked, 'response');
  await once(response.resume(), 'end');
  return response.statusCode;
}

export const countConnections = ({ app }: TestShop): Promise<number> =>
  new Promise((resolve, reject) => {
    app.server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  });

import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below the ports that systems hand out by themselves (Linux from 32768, others from 49152): one of those may become
 * the end of somebody's connection between the moment it was found and the moment it is used.
 */
const PORTS = { first: 15_000, beyond: 32_000 };
const MAX_TRIES = 100;
/** Each process goes through them from another one on: of ports by chance, two would now and then find the same at once. */
let next = randomInt(PORTS.first, PORTS.beyond);

/** @returns a TCP port of 127.0.0.1 that is free now @throws Error when none was found */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const port = next;
    next = port + 1 < PORTS.beyond ? port + 1 : PORTS.first;
    if (await isFree(port)) return port;
  }
  throw new Error('No port of 127.0.0.1 is free');
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

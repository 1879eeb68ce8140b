import { randomInt } from 'node:crypto';
import { createServer, type Server } from 'node:net';

/** Below the ephemeral ports (Linux from 32768, others from 49152). */
const FIRST_PORT = 15_000;
const BLOCKS = 170;
const BLOCK_SIZE = 100;

/** Claimed by listening on its first port. */
let block: Promise<number> | undefined;
let used = 0;

/**
 * Does not keep the process alive.
 * @returns a TCP port of 127.0.0.1, unique among processes and in 98 calls
 * @throws Error when no port is free
 */
export async function freePort(): Promise<number> {
  block ??= claimBlock();
  const first = await block;
  for (let tries = 1; tries < BLOCK_SIZE; tries += 1) {
    used = (used % (BLOCK_SIZE - 1)) + 1;
    const port = first + used;
    const server = await listen(port);
    if (!server) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
  throw new Error('No port of 127.0.0.1 is free');
}

async function claimBlock(): Promise<number> {
  const start = randomInt(BLOCKS);
  for (let tries = 0; tries < BLOCKS; tries += 1) {
    const first = FIRST_PORT + ((start + tries) % BLOCKS) * BLOCK_SIZE;
    const server = await listen(first);
    if (!server) continue;
    server.unref();
    return first;
  }
  throw new Error('No port of 127.0.0.1 is free');
}

function listen(port: number): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}

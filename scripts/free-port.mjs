import { once } from 'node:events';
import { createServer } from 'node:net';

/** @param port any free one if this is taken, and by default */
export async function freePort(port = 0) {
  const probe = createServer().listen(port, '127.0.0.1');
  try {
    await once(probe, 'listening');
  } catch (error) {
    if (port !== 0) return freePort();
    throw error;
  }
  const { port: free } = probe.address();
  probe.close();
  await once(probe, 'close');
  return free;
}

import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** Not used by customers. */
const attacker = '127.0.0.66';

/** A thousand incomplete bodies. */
export const floodWithHalfBodies = (port: number): Promise<void> =>
  holdConnections(
    port,
    1000,
    4_000,
    'POST /order HTTP/1.1\r\nhost: shop\r\ncontent-type: application/json\r\ncontent-length: 90\r\n\r\n{',
  );

/** Five hundred clients that request much and read nothing. */
export const floodWithSlowReaders = (port: number): Promise<void> =>
  holdConnections(port, 500, 4_000, 'GET /all-products HTTP/1.1\r\nhost: shop\r\n\r\n'.repeat(20));

/** Two thousand silent connections. */
export const floodWithSilence = (port: number): Promise<void> => holdConnections(port, 2000, 4_000, '');

async function holdConnections(port: number, count: number, holdMs: number, said: string): Promise<void> {
  const sockets = Array.from({ length: count }, () => open(port, said));
  await pause(holdMs);
  for (const socket of sockets) socket.destroy();
}

function open(port: number, said: string): Socket {
  const socket = connect({ host: '127.0.0.1', port, localAddress: attacker });
  socket.on('error', () => socket.destroy()).on('connect', () => socket.write(said));
  // The shop's responses fill its buffers.
  return socket.pause();
}

import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { normalizeIP } from '@fastify/rate-limit';
import type { Config } from '#src/platform/core/config.ts';
import { Problem } from '#src/platform/core/problem.ts';
import { createTally } from '#src/platform/core/tally.ts';
import { endWithProblem } from '#src/platform/http/raw-problem.ts';

const CROWDED_SHARE = 0.8;
/** A browser opens this many to one host. */
const CONNECTIONS_WHILE_CROWDED = 6;
/** For the response of a refused connection; at most `MAX_LINGERING` wait. */
const LINGER_MS = 1000;
const MAX_LINGERING = 100;

/**
 * Excess connections get 503 before anything is read. Behind proxies (`maxConnectionsPerAddress` null) only
 * the total counts.
 */
export function limitConnections(
  server: Server,
  { maxConnections, maxConnectionsPerAddress }: Pick<Config, 'maxConnections' | 'maxConnectionsPerAddress'>,
): void {
  server.maxConnections = maxConnections;
  if (maxConnectionsPerAddress === null) return;
  const open = createTally();
  const admit = (network: string) => {
    const isCrowded = open.total >= maxConnections * CROWDED_SHARE;
    const bound = isCrowded ? CONNECTIONS_WHILE_CROWDED : Infinity;
    return open.of(network) < Math.min(bound, maxConnectionsPerAddress);
  };
  const turnAway = createTurningAway();
  // Node's own listener reads at once, so it must not see refused connections.
  const listeners = server.listeners('connection');
  server.removeAllListeners('connection').on('connection', (socket: Socket) => {
    const network = normalizeIP(socket.remoteAddress ?? '');
    if (!admit(network)) return turnAway(socket);
    socket.once('close', open.enter(network));
    for (const listener of listeners) listener.call(server, socket);
  });
}

/** Discards incoming data, as a reset could destroy the response. */
function createTurningAway(): (socket: Socket) => void {
  let lingering = 0;
  return (socket) => {
    if (lingering >= MAX_LINGERING) return void socket.destroy();
    lingering += 1;
    const linger = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once('close', () => {
      lingering -= 1;
      clearTimeout(linger);
    });
    socket.on('error', () => socket.destroy()).once('end', () => socket.destroy());
    endWithProblem(
      socket.resume(),
      new Problem('overloaded', {
        detail: 'There are too many connections from your address.',
        retryAfterSeconds: 5,
      }),
    );
  };
}

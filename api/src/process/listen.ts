import { once } from 'node:events';
import { createServer } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Config } from '#src/platform/core/config.ts';
import { StartError } from '#src/platform/core/start-error.ts';

/**
 * Fails early, before a database is made in vain for a shop that cannot be reached.
 * @throws StartError when the port is taken or not allowed
 */
export async function assertPortIsFree(config: Pick<Config, 'host' | 'port'>): Promise<void> {
  const probe = createServer();
  try {
    probe.listen({ host: config.host, port: config.port, exclusive: true });
    await once(probe, 'listening');
  } catch (error) {
    throw toStartError(error, config);
  }
  probe.close();
  await once(probe, 'close');
}

/** Connections that may wait to be taken: with Node's 511 a burst of one address would keep others waiting a second. */
const BACKLOG = 4096;

/**
 * Opens the port. @returns the address for people
 * @throws StartError when the port was taken meanwhile
 */
export async function listen(
  app: FastifyInstance,
  config: Pick<Config, 'host' | 'port' | 'origin'>,
): Promise<string> {
  try {
    await app.listen({ host: config.host, port: config.port, backlog: BACKLOG });
  } catch (error) {
    throw toStartError(error, config);
  }
  const address = app.server.address();
  const port = typeof address === 'object' && address !== null ? address.port : config.port;
  return config.origin ?? `http://localhost:${port}`;
}

function toStartError(error: unknown, { host, port }: Pick<Config, 'host' | 'port'>): unknown {
  switch (error instanceof Error && 'code' in error ? error.code : undefined) {
    case 'EADDRINUSE':
      return new StartError(`Port ${port} is taken by another program: end it, or set PORT to another one.`);
    case 'EACCES':
      return new StartError(`Port ${port} may not be used by this user: set PORT to 1024 or above.`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new StartError(`HOST ${host} is no address of this machine.`);
    default:
      return error;
  }
}

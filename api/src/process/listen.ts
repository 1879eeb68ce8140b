import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Config } from '#src/platform/core/config.ts';
import { StartError } from '#src/platform/core/start-error.ts';

/**
 * Checks before a database is created. It asks for the port alone: with SO_REUSEPORT a second shop would join
 * the first unnoticed.
 * @throws StartError when the port is busy or not permitted
 */
export async function findPort(config: Pick<Config, 'host' | 'port'>): Promise<number> {
  const probe = createServer();
  try {
    probe.listen({ host: config.host, port: config.port, exclusive: true });
    await once(probe, 'listening');
  } catch (error) {
    throw toStartError(error, config);
  }
  const port = readPort(probe) ?? config.port;
  probe.close();
  await once(probe, 'close');
  return port;
}

/** With Node's default of 511, a burst from one address delays others by a second. */
const BACKLOG = 4096;

/** Returns the address for people. @throws StartError */
export async function listen(
  app: FastifyInstance,
  config: Pick<Config, 'host' | 'port' | 'origin' | 'workers'>,
): Promise<string> {
  const { host, port } = config;
  try {
    // With SO_REUSEPORT each process has an accept queue. The kernel spreads connections evenly, and a killed
    // process resets only its own.
    await app.listen({ host, port, backlog: BACKLOG, ...(config.workers > 1 && { reusePort: true }) });
  } catch (error) {
    throw toStartError(error, config);
  }
  return config.origin ?? `http://localhost:${readPort(app.server) ?? port}`;
}

function readPort(server: Server): number | null {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : null;
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

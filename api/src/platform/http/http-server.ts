import type { RequestListener, Server } from 'node:http';
import type { Config } from '#src/platform/core/config.ts';
import { limitConnections } from './limits/connection-limits.ts';
import { createServer } from './node-http.ts';

/** How often heads are looked for that are too late; in milliseconds. */
const CHECK_MS = 500;
/** As long as the slowest upload may take; what comes as far as the routes has the deadlines of `load-shedding.ts`. */
const WHOLE_REQUEST_MS = 60_000;
/** Longer than proxies keep theirs, so that it is never we who close one just as it is used. */
const KEEP_ALIVE_MS = 72_000;

/** Node's server with a deadline for heads and bounds on connections. */
export function createHttpServer(config: Config, serve: RequestListener): Server {
  const { headersTimeoutMs, bodyTimeoutMs } = config;
  const server = createServer(
    {
      headersTimeout: headersTimeoutMs,
      requestTimeout: Math.max(WHOLE_REQUEST_MS, headersTimeoutMs + bodyTimeoutMs),
      connectionsCheckingInterval: CHECK_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      // `refuseAmbiguous` says so in our words.
      requireHostHeader: false,
    },
    serve,
  );
  limitConnections(server, config);
  return server;
}

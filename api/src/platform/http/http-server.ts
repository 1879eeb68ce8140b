import type { RequestListener, Server } from 'node:http';
import type { Config } from '#src/platform/core/config.ts';
import { limitConnections } from './limits/connection-limits.ts';
import { createServer } from './node-http.ts';

const CHECK_MS = 500;
/** The slowest upload; routed requests have the timeouts of `load-shedding.ts`. */
const WHOLE_REQUEST_MS = 60_000;
/** Longer than proxies keep theirs, so that we never close a connection just as a proxy uses it. */
const KEEP_ALIVE_MS = 72_000;

export function createHttpServer(config: Config, serve: RequestListener): Server {
  const { headersTimeoutMs, bodyTimeoutMs } = config;
  const server = createServer(
    {
      headersTimeout: headersTimeoutMs,
      requestTimeout: Math.max(WHOLE_REQUEST_MS, headersTimeoutMs + bodyTimeoutMs),
      connectionsCheckingInterval: CHECK_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      // `refuseAmbiguous` answers in our words.
      requireHostHeader: false,
    },
    serve,
  );
  limitConnections(server, config);
  return server;
}

import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from './core/clock.ts';
import type { Config } from './core/config.ts';
import type { Ids } from './core/ids.ts';
import type { Metrics } from './core/metrics.ts';
import type { ChangeFeed } from './database/change-feed.ts';
import type { Database } from './database/connection.ts';
import type { Instance } from './database/instance.ts';

export interface Platform extends Instance {
  config: Config;
  log: FastifyBaseLogger;
  database: Database;
  changes: ChangeFeed;
  clock: Clock;
  ids: Ids;
  metrics: Metrics | null;
}

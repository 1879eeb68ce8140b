import type { FastifyBaseLogger } from 'fastify';
import { type AccessTokens, createAccessTokens } from './identity/access-token.ts';
import { createEmbeddedIdentity } from './identity/embedded.ts';
import type { IdentityProvider } from './identity/provider.ts';
import type { ImageHost } from './images/host.ts';
import { createLocalImageHost } from './images/local-host.ts';
import { createPayments } from './payments/create-provider.ts';
import type { PaymentProvider } from './payments/provider.ts';
import { type Clock, type Ids, systemClock, timeOrderedIds } from './platform/clock.ts';
import type { Config } from './platform/config.ts';
import { type Changes, listenForChanges } from './platform/database/change-feed.ts';
import type { Database } from './platform/database/connection.ts';
import { instanceIdOf } from './platform/database/settings.ts';

/** Everything the calls are built on; `app.ts` has the calls themselves. */
export interface Services {
  config: Config;
  log: FastifyBaseLogger;
  database: Database;
  changes: Changes;
  clock: Clock;
  ids: Ids;
  /** Random once per database. */
  instanceId: string;
  tokens: AccessTokens;
  identity: IdentityProvider;
  payments: PaymentProvider;
  images: ImageHost;
  close(): Promise<void>;
}

/**
 * Chooses each service by configuration. The database is migrated before and closed after by its owner.
 * @param clock the system's unless a test passes its own
 */
export async function createServices(
  config: Config,
  database: Database,
  log: FastifyBaseLogger,
  clock: Clock = systemClock,
): Promise<Services> {
  const changes = await listenForChanges(database, (error) =>
    log.warn({ err: error }, 'the listening connection broke; nothing is kept until it is back'),
  );
  const ids = timeOrderedIds(clock);
  const instanceId = await instanceIdOf(database.db);
  const base = { config, log, database, changes, clock, ids, instanceId };
  const tokens = createAccessTokens(base);
  const [identity, payments, images] = await Promise.all([
    createEmbeddedIdentity(base),
    createPayments(base),
    createLocalImageHost(config, database, clock),
  ]);
  return {
    ...base,
    tokens,
    identity,
    payments,
    images,
    async close() {
      await payments.close?.();
      await changes.close();
    },
  };
}

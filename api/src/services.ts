import { holdCurrency } from '@parts-forge/contract/money/currency';
import type { FastifyBaseLogger } from 'fastify';
import { createImporter } from './catalogue/apply-import.ts';
import { createAccessTokens } from './identity/access-token.ts';
import { createAccountLinks } from './identity/account-links.ts';
import { createEmbeddedIdentity } from './identity/embedded/embedded.ts';
import type { PasswordCost } from './identity/embedded/password-hash.ts';
import { createFirebaseIdentity } from './identity/firebase/firebase.ts';
import { createImageHost } from './images/image-host.ts';
import { createMailer } from './mail/mailer.ts';
import { createPaymentProvider } from './payments/provider/create-provider.ts';
import { measureProvider } from './payments/provider/measure-provider.ts';
import { type Clock, systemClock } from './platform/core/clock.ts';
import type { Config } from './platform/core/config.ts';
import { createTimeOrderedIds } from './platform/core/ids.ts';
import { createMetrics, type GatherFigures } from './platform/core/metrics.ts';
import { openChangeFeed } from './platform/database/change-feed.ts';
import type { Database } from './platform/database/connection.ts';
import { ensureInstance } from './platform/database/instance.ts';
import type { Platform } from './platform/platform.ts';
import { askForTaxAgain, hasWrongReverseCharge } from './users/store.ts';

/** Everything that the calls are built on; `app.ts` has the calls. */
export type Services = Awaited<ReturnType<typeof createServices>>;

/**
 * Chooses each service by configuration. The caller migrates the database before and closes it after.
 * @param clock the system's by default
 * @param gatherFigures of this shop's other processes; absent when there are none
 * @param passwordCost of the embedded identity service's hashes; by default the recommended one
 */
export async function createServices(
  config: Config,
  database: Database,
  log: FastifyBaseLogger,
  clock: Clock = systemClock,
  gatherFigures?: GatherFigures,
  passwordCost?: PasswordCost,
) {
  const releaseCurrency = holdCurrency(config.currency);
  // A damaged picture should end the start, not a page or a mail.
  await config.shop.logo?.draw(512);
  const changes = await openChangeFeed(database, (error, consequence) =>
    log.warn({ err: error }, consequence),
  );
  const ids = createTimeOrderedIds(clock);
  const instance = await ensureInstance(database.db);
  await askForTaxAgain(database.db, hasWrongReverseCharge(config.seller.country?.code));
  const metrics = config.metricsToken === null ? null : await createMetrics(gatherFigures);
  const platform: Platform = { config, log, database, changes, clock, ids, metrics, ...instance };
  const tokens = createAccessTokens(platform);
  const [identity, payments, images] = await Promise.all([
    config.firebase
      ? createFirebaseIdentity({ settings: config.firebase, origin: config.origin, clock })
      : createEmbeddedIdentity({ ...platform, passwordCost }),
    createPaymentProvider(platform),
    createImageHost(platform, tokens),
  ]);
  const mail = { ...platform, accountLinks: createAccountLinks(identity) };
  const mailer = createMailer(mail);
  return {
    ...mail,
    mailer,
    importer: createImporter(platform),
    tokens,
    identity,
    payments: metrics ? measureProvider(payments, metrics) : payments,
    images,
    async close() {
      await mailer.close();
      await payments.close?.();
      await changes.close();
      releaseCurrency();
    },
  };
}

import { copyDemoPictures } from '#src/demo/pictures.ts';
import type { Config } from '#src/platform/core/config.ts';
import { StartError } from '#src/platform/core/start-error.ts';
import type { Database } from '#src/platform/database/connection.ts';
import { findMovedTo } from '#src/platform/database/instance.ts';
import { migrate } from '#src/platform/database/migrate.ts';
import { fixCurrency } from './fix-currency.ts';
import { retryWhileUnavailable } from './retry-while-unavailable.ts';
import { type LastNumbers, takeOverShop } from './take-over.ts';

export interface Preparation {
  config: Config;
  database: Database;
  termination: AbortSignal;
  /** Null: a restored shop stays a copy. */
  takeOver: LastNumbers | null;
  say(text: string): void;
}

/**
 * Migrates, and copies missing pictures of the demonstration. Concurrent shops take turns.
 * @throws StartError when the shop has moved away, has another currency or cannot take over; the signal's reason
 */
export async function prepareDatabase({
  config,
  database,
  termination,
  takeOver,
  say,
}: Preparation): Promise<void> {
  const persist = (work: () => Promise<void>) => retryWhileUnavailable(work, { termination, say });
  // Runs beside the migration, which leaves this process idle.
  const pictures = config.seed === 'none' ? null : copyDemoPictures(config);
  // Awaited below, unless an earlier step fails first.
  pictures?.catch(() => {});
  await persist(() =>
    migrate(database, () => say('Another process prepares the database; waiting for it …')),
  );
  await persist(() => assertNotMoved(database));
  await persist(() => fixCurrency(database, config.currency));
  if (takeOver) await persist(async () => say(await takeOverShop(database, takeOver, new Date())));
  await pictures;
  termination.throwIfAborted();
}

/** @throws StartError when the shop has moved: two shops with one id would pay refunds twice */
async function assertNotMoved({ db }: Database): Promise<void> {
  const movedTo = await findMovedTo(db);
  if (movedTo === null) return;
  throw new StartError(
    `This shop has moved to ${movedTo}: set DATABASE_URL. What is in this data folder is the shop as it was then.`,
  );
}

import { copyDemoPictures, seedDemo, undoOtherSeeding } from '#src/demo/seed.ts';
import type { Config } from '#src/platform/core/config.ts';
import { StartError } from '#src/platform/core/start-error.ts';
import type { Database } from '#src/platform/database/connection.ts';
import { findMovedTo } from '#src/platform/database/instance.ts';
import { migrate } from '#src/platform/database/migrate.ts';
import { retryWhileUnavailable } from './retry-while-unavailable.ts';
import { type LastNumbers, takeOverShop } from './take-over.ts';

export interface Preparation {
  config: Config;
  database: Database;
  termination: AbortSignal;
  /** Puts a restored shop in the place of the one that was backed up; null: leaves it as it is. */
  takeOver: LastNumbers | null;
  say(text: string): void;
}

/**
 * Brings the tables to the present version and fills an empty shop with the demonstration; what a first start has left
 * that was interrupted is finished, or undone where the settings have changed. Several shops may do so at
 * the same time: they take turns.
 * @throws StartError when the shop has moved away, or cannot take another's place; the signal's reason when the end comes first
 */
export async function prepareDatabase({
  config,
  database,
  termination,
  takeOver,
  say,
}: Preparation): Promise<void> {
  const persist = (work: () => Promise<void>) => retryWhileUnavailable(work, { termination, say });
  // Beside the work on the tables, which leaves this process idle.
  const pictures = config.seed === 'none' ? null : copyDemoPictures(config);
  // A failure is told by whoever waits for them, if it comes to that.
  pictures?.catch(() => {});
  await persist(() =>
    migrate(database, () => say('Another process prepares the database; waiting for it …')),
  );
  await persist(() => assertNotMoved(database));
  if (takeOver) await persist(async () => say(await takeOverShop(database, takeOver, new Date())));
  await persist(() => undoOtherSeeding(config, database));
  if (pictures) await persist(() => seedDemo(config, database, pictures));
  termination.throwIfAborted();
}

/** @throws StartError when the shop has moved away: two with one id would give refunds twice */
async function assertNotMoved({ db }: Database): Promise<void> {
  const movedTo = await findMovedTo(db);
  if (movedTo === null) return;
  throw new StartError(
    `This shop has moved to ${movedTo}: set DATABASE_URL. What is in this data folder is the shop as it was then.`,
  );
}

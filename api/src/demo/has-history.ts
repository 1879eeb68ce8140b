import { findPublicSetting } from '#src/platform/core/config/server.ts';
import type { Config } from '#src/platform/core/config.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import { findMetadata } from '#src/platform/database/metadata.ts';

/**
 * Whether a new shop gets customers and orders that were made up, and a sign-in for one of them: a demonstration that
 * only this machine reaches, where nothing is charged, mailed or signed in for real.
 */
export const hasHistory = (
  config: Pick<Config, 'seed' | 'stripe' | 'firebase' | 'smtp' | 'origin' | 'host' | 'allowedOrigins'>,
): boolean =>
  config.seed === 'demo' &&
  config.stripe === null &&
  config.firebase === null &&
  config.smtp === null &&
  findPublicSetting({
    ORIGIN: config.origin ?? undefined,
    HOST: config.host,
    ALLOWED_ORIGINS: config.allowedOrigins.join(','),
  }) === null;

/** Whether a shop that was just seeded still has to get its history. */
export const isHistoryDue = async (db: Executor): Promise<boolean> =>
  (await findMetadata(db, HISTORY_DUE)) !== null;

/** Under this name the database says of which moment its history is to be made, until it is there. */
export const HISTORY_DUE = 'demo_history_due';
/** So many days ago the parts were added and the customers registered. */
export const HISTORY_BEGIN_DAYS = 61;

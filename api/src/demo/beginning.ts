import { findPublicSetting } from '#src/platform/core/config/server.ts';
import type { Config } from '#src/platform/core/config.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import { deleteMetadata, findMetadata, setMetadata } from '#src/platform/database/metadata.ts';

/**
 * Whether a new shop gets customers and orders that were made up, and a sign-in for one of them: a demonstration that
 * only this machine reaches, where nothing is charged, mailed or signed in for real.
 */
export const hasHistory = (
  config: Pick<
    Config,
    'seed' | 'stripe' | 'firebase' | 'smtp' | 'origin' | 'host' | 'trustedProxies' | 'allowedOrigins'
  >,
): boolean =>
  config.seed === 'demo' &&
  config.stripe === null &&
  config.firebase === null &&
  config.smtp === null &&
  findPublicSetting({
    ORIGIN: config.origin ?? undefined,
    HOST: config.host,
    TRUSTED_PROXIES: config.trustedProxies,
    ALLOWED_ORIGINS: config.allowedOrigins.join(','),
  }) === null;

/** What a shop that is filled begins with: parts and reviews, or those with customers and their orders as well. */
export type Beginning = 'catalogue' | 'history';

/** How these settings fill an empty shop; null when they leave it empty. */
export const chooseBeginning = (config: Parameters<typeof hasHistory>[0]): Beginning | null => {
  if (config.seed === 'none') return null;
  return hasHistory(config) ? 'history' : 'catalogue';
};

/** A shop whose parts and reviews are there, and nothing else yet. */
export interface Seeding {
  beginning: Beginning;
  /** When it was begun, which is the moment that its history leads up to. */
  now: Date;
}

/** Under this name the database has a seeding until `finishSeeding` is done with it. */
const UNFINISHED = 'demo_unfinished';

/** The seeding that an empty shop has begun and not finished; null for none. */
export async function findUnfinishedSeeding(db: Executor): Promise<Seeding | null> {
  const value = await findMetadata(db, UNFINISHED);
  if (value === null) return null;
  const [beginning, now = ''] = value.split(' ');
  return { beginning: beginning === 'history' ? 'history' : 'catalogue', now: new Date(now) };
}

export const noteUnfinishedSeeding = (tx: Executor, { beginning, now }: Seeding): Promise<void> =>
  setMetadata(tx, UNFINISHED, `${beginning} ${now.toISOString()}`);

export const forgetUnfinishedSeeding = (tx: Executor): Promise<boolean> => deleteMetadata(tx, UNFINISHED);

/** So many days ago the parts were added and the customers registered. */
export const HISTORY_BEGIN_DAYS = 61;

import { findPublicSetting } from '#src/platform/core/config/server.ts';
import type { Config } from '#src/platform/core/config.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import { deleteMetadata, findMetadata, setMetadata } from '#src/platform/database/metadata.ts';

/**
 * Invented customers and orders, and a sign-in for one of them. Only for a demonstration that other machines
 * cannot reach, without real charges, mails or sign-ins.
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

/** `history` adds customers and orders to parts and reviews. */
export type Beginning = 'catalogue' | 'history';

/** Null leaves the shop empty. */
export const chooseBeginning = (config: Parameters<typeof hasHistory>[0]): Beginning | null => {
  if (config.seed === 'none') return null;
  return hasHistory(config) ? 'history' : 'catalogue';
};

/** Parts and reviews are there; `finishSeeding` is still to run. */
export interface Seeding {
  beginning: Beginning;
  /** The end of the history. */
  now: Date;
}

const UNFINISHED = 'demo_unfinished';

export async function findUnfinishedSeeding(db: Executor): Promise<Seeding | null> {
  const value = await findMetadata(db, UNFINISHED);
  if (value === null) return null;
  const [beginning, now = ''] = value.split(' ');
  return { beginning: beginning === 'history' ? 'history' : 'catalogue', now: new Date(now) };
}

export const noteUnfinishedSeeding = (tx: Executor, { beginning, now }: Seeding): Promise<void> =>
  setMetadata(tx, UNFINISHED, `${beginning} ${now.toISOString()}`);

export const forgetUnfinishedSeeding = (tx: Executor): Promise<boolean> => deleteMetadata(tx, UNFINISHED);

/** Age of parts and customers. */
export const HISTORY_BEGIN_DAYS = 61;

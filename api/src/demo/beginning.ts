import { findPublicSetting } from '#src/platform/core/config/server.ts';
import type { Config } from '#src/platform/core/config.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import { deleteMetadata, findMetadata } from '#src/platform/database/metadata.ts';
import { metadata } from '#src/platform/database/schema.ts';
import { products } from '#src/products/schema.ts';
import { reviews } from '#src/reviews/schema.ts';

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

const SEEDED = 'demo_seeded';
/** Marks a first start of 1.0.0 that was interrupted: parts without ledgers. */
const UNFINISHED = 'demo_unfinished';

/** @returns whether `seedDemo` has something to do */
export const isSeedingDue = async ({ seed }: Pick<Config, 'seed'>, db: Executor): Promise<boolean> =>
  (seed !== 'none' && (await findMetadata(db, SEEDED)) === null) ||
  (await findMetadata(db, UNFINISHED)) !== null;

/** Removes what an interrupted first start of 1.0.0 left. Its pictures stay. */
export async function undoUnfinishedSeeding(tx: Executor): Promise<void> {
  if (!(await deleteMetadata(tx, UNFINISHED))) return;
  await tx.delete(reviews);
  await tx.delete(products);
  await deleteMetadata(tx, SEEDED);
}

/** @returns false for a database that was seeded or has parts */
export async function markSeeded(tx: Executor, now: Date): Promise<boolean> {
  const marked = await tx
    .insert(metadata)
    .values({ name: SEEDED, value: now.toISOString() })
    .onConflictDoNothing()
    .returning();
  const [part] = await tx.select({ id: products.id }).from(products).limit(1);
  return marked.length > 0 && !part;
}

import { and, eq, gt, lte } from 'drizzle-orm';
import { hashToken } from '#src/platform/core/hash-token.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import { downloads } from './schema.ts';

export type Download = typeof downloads.$inferSelect;

export async function insertDownload(db: Executor, download: Download): Promise<void> {
  await db.insert(downloads).values(download);
}

const isOpenable = (token: string, now: Date) =>
  and(eq(downloads.tokenHash, hashToken(token)), gt(downloads.expiresAt, now));

/** The owner of a valid link, which stays unused. */
export async function findDownloader(db: Executor, token: string, now: Date): Promise<string | null> {
  const [row] = await db.select({ userId: downloads.userId }).from(downloads).where(isOpenable(token, now));
  return row?.userId ?? null;
}

/** Uses up a link. Only one of several concurrent callers gets it, across processes. */
export async function takeDownload(db: Executor, token: string, now: Date): Promise<Download | null> {
  const [row] = await db.delete(downloads).where(isOpenable(token, now)).returning();
  return row ?? null;
}

/** Repeatable. */
export async function purgeDownloads(db: Executor, now: Date): Promise<void> {
  await db.delete(downloads).where(lte(downloads.expiresAt, now));
}

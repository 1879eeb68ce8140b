import { createHash } from 'node:crypto';
import type { CheckedDownloadRequest } from '@parts-forge/contract/downloads';
import { and, eq, gt, lte } from 'drizzle-orm';
import type { Executor } from '#src/platform/database/connection.ts';
import { downloads } from './schema.ts';

export interface Download {
  userId: string;
  request: CheckedDownloadRequest;
}

export async function insertDownload(
  db: Executor,
  token: string,
  { userId, request }: Download,
  { now, expiresAt }: { now: Date; expiresAt: Date },
): Promise<void> {
  await db.insert(downloads).values({ tokenHash: hash(token), request, userId, createdAt: now, expiresAt });
}

/** Uses a link up: of several who open it at once, in whatever process, one gets it. Null for one that opens nothing. */
export async function takeDownload(db: Executor, token: string, now: Date): Promise<Download | null> {
  const [row] = await db
    .delete(downloads)
    .where(and(eq(downloads.tokenHash, hash(token)), gt(downloads.expiresAt, now)))
    .returning({ userId: downloads.userId, request: downloads.request });
  return row ?? null;
}

/** Forgets links that nobody has opened in time. Harmless to repeat. */
export async function purgeDownloads(db: Executor, now: Date): Promise<void> {
  await db.delete(downloads).where(lte(downloads.expiresAt, now));
}

const hash = (token: string): Buffer => createHash('sha256').update(token).digest();

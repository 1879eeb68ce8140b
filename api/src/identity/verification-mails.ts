import { createHash, randomUUID } from 'node:crypto';
import { and, asc, eq, gt } from 'drizzle-orm';
import { writeMail } from '#src/mail-outbox/write-mail.ts';
import type { Ids } from '#src/platform/core/ids.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import { identityVerifications } from './schema.ts';

/** A double click sends one mail. */
const PAUSE_MS = 60_000;
const DAY_MS = 24 * 60 * 60_000;
/** Anybody can register anybody's address. */
const MAX_A_DAY = 5;

/**
 * Counts by address, as an account could be recreated. The caller locks the address (`lockAddress`) and
 * publishes `mail`.
 */
export async function writeVerificationMail(
  tx: Executor,
  { ids }: { ids: Ids },
  { userId, email, now }: { userId: string; email: string; now: Date },
) {
  const identifier = hashAddress(email);
  const { createdAt, expiresAt } = identityVerifications;
  const earlier = await tx
    .select({ createdAt, expiresAt })
    .from(identityVerifications)
    .where(and(eq(identityVerifications.identifier, identifier), gt(expiresAt, now)))
    .orderBy(asc(createdAt));
  const nextAt = findNextMoment(earlier);
  if (nextAt !== null && nextAt > now) return { mailed: false, nextAt };
  const mail = { createdAt: now, expiresAt: new Date(now.getTime() + DAY_MS) };
  // The hourly purge deletes it after expiry.
  await tx
    .insert(identityVerifications)
    .values({ id: randomUUID(), identifier, value: '', ...mail, updatedAt: now });
  await writeMail(tx, { ids }, { kind: 'address-verification', userId, now });
  return { mailed: true, nextAt: findNextMoment([...earlier, mail]) ?? now };
}

function findNextMoment(mails: readonly { createdAt: Date; expiresAt: Date }[]): Date | null {
  const last = mails.at(-1);
  if (!last) return null;
  const afterPause = new Date(last.createdAt.getTime() + PAUSE_MS);
  const oldestThatCounts = mails.at(-MAX_A_DAY);
  const afterDay = oldestThatCounts ? oldestThatCounts.expiresAt : afterPause;
  return afterDay > afterPause ? afterDay : afterPause;
}

/** Hashed, so that no list of addresses exists. */
const hashAddress = (email: string) =>
  `mailed-${createHash('sha256').update(email.trim().toLowerCase()).digest('hex')}`;

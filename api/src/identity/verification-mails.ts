import { createHash, randomUUID } from 'node:crypto';
import { and, asc, eq, gt } from 'drizzle-orm';
import { writeMail } from '#src/mail-outbox/write-mail.ts';
import type { Ids } from '#src/platform/core/ids.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import { identityVerifications } from './schema.ts';

/** One mail in this time; whoever presses twice gets one. */
const PAUSE_MS = 60_000;
const DAY_MS = 24 * 60 * 60_000;
/** Anybody can register anybody's address, so its owner is mailed this often in a day, whoever asks. */
const MAX_A_DAY = 5;

/** Whether a link was mailed now, and when the next one can be. */
export interface VerificationMail {
  mailed: boolean;
  nextAt: Date;
}

/**
 * Writes the mail with the link that proves an address, unless the address was mailed one within a minute or five within
 * a day. Counted by the address, as an account can be removed and made anew. The caller holds the address
 * (`lockAddress`), and says that `mail` has changed.
 */
export async function writeVerificationMail(
  tx: Executor,
  { ids }: { ids: Ids },
  { userId, email, now }: { userId: string; email: string; now: Date },
): Promise<VerificationMail> {
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
  // Hourly purged once it has expired, with the links that are kept there.
  await tx
    .insert(identityVerifications)
    .values({ id: randomUUID(), identifier, value: '', ...mail, updatedAt: now });
  await writeMail(tx, { ids }, { kind: 'address-verification', userId, now });
  return { mailed: true, nextAt: findNextMoment([...earlier, mail]) ?? now };
}

/** @param mails those of the last day, the oldest first @returns null when there was none */
function findNextMoment(mails: readonly { createdAt: Date; expiresAt: Date }[]): Date | null {
  const last = mails.at(-1);
  if (!last) return null;
  const afterPause = new Date(last.createdAt.getTime() + PAUSE_MS);
  const oldestThatCounts = mails.at(-MAX_A_DAY);
  const afterDay = oldestThatCounts ? oldestThatCounts.expiresAt : afterPause;
  return afterDay > afterPause ? afterDay : afterPause;
}

/** Hashed, so that a list of addresses is nowhere. */
const hashAddress = (email: string) =>
  `mailed-${createHash('sha256').update(email.trim().toLowerCase()).digest('hex')}`;

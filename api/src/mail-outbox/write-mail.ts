import type { MailKind } from '@parts-forge/contract/mail-kinds';
import type { Ids } from '#src/platform/core/ids.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import { mailOutbox } from './schema.ts';

/** What a mail is about. */
export interface NewMail {
  kind: MailKind;
  /** To whom; the address is the one that this person has when it is sent. */
  userId: string;
  orderId?: string;
  /** What goes back, for `order-refunded`. */
  amountCents?: number;
  now: Date;
}

/**
 * Writes a mail into the outbox, in the transaction that does what it tells: it is sent when that is committed, and
 * never where it is rolled back. The caller says that `mail` has changed, or it waits for the next round.
 */
export async function writeMail(
  tx: Executor,
  { ids }: { ids: Ids },
  { now, ...mail }: NewMail,
): Promise<void> {
  await tx.insert(mailOutbox).values({ id: ids.next(), ...mail, nextAttemptAt: now, createdAt: now });
}

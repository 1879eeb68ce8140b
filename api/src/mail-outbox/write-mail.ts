import type { MailKind } from '@parts-forge/contract/mail-kinds';
import type { Ids } from '#src/platform/core/ids.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import { mailOutbox } from './schema.ts';

export interface NewMail {
  kind: MailKind;
  /** The address is read at sending. */
  userId: string;
  orderId?: string;
  /** Of a `parcel-sent`. */
  shipmentId?: string;
  /** Of an `order-refunded` or `dispute-lost`. */
  amountCents?: number;
  now: Date;
}

/**
 * Runs in the cause's transaction, so only a commit sends the mail. The caller marks `mail` as changed;
 * otherwise the mail waits for the next round.
 */
export async function writeMail(
  tx: Executor,
  { ids }: { ids: Ids },
  { now, ...mail }: NewMail,
): Promise<void> {
  await tx.insert(mailOutbox).values({ id: ids.next(), ...mail, nextAttemptAt: now, createdAt: now });
}

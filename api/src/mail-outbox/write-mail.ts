import type { MailKind } from '@parts-forge/contract/events/mail-kinds';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Clock } from '#src/platform/core/clock.ts';
import type { Ids } from '#src/platform/core/ids.ts';
import { requestContext } from '#src/platform/core/request-context.ts';
import type { ChangeFeed } from '#src/platform/database/change-feed.ts';
import type { Database, Executor } from '#src/platform/database/connection.ts';
import { mailOutbox } from './schema.ts';

export interface NewMail {
  kind: MailKind;
  /** The address is read at sending. */
  userId: string;
  orderId?: string;
  quoteId?: string;
  /** For `parcel-sent` and `parcel-removed`. */
  shipmentId?: string;
  /** For `order-refunded` and `dispute-lost`. */
  amountCents?: number;
  now: Date;
}

/** Kinds that have words for several orders. */
const GATHERED: readonly MailKind[] = [
  'order-accepted',
  'parcel-sent',
  'parcel-removed',
  'order-cancelled',
  'order-refunded',
  'dispute-lost',
];

/** After a crash within an act its mails leave without their further subjects. */
const LONGEST_ACT_MS = 180_000;

/**
 * Runs in the cause's transaction, so only a commit sends the mail. The caller marks `mail` as changed;
 * otherwise the mail waits for the next round.
 */
export async function writeMail(
  tx: Executor,
  { ids }: { ids: Ids },
  { now, ...mail }: NewMail,
): Promise<void> {
  const actId = (GATHERED.includes(mail.kind) && requestContext.current().mailAct) || null;
  const nextAttemptAt = actId === null ? now : new Date(now.getTime() + LONGEST_ACT_MS);
  await tx
    .insert(mailOutbox)
    .values({ id: ids.next(), ...mail, actId, nextAttemptAt, createdAt: now })
    .onConflictDoUpdate({
      target: [mailOutbox.actId, mailOutbox.userId, mailOutbox.kind],
      targetWhere: sql`state = 'waiting' and attempts = 0`,
      set: {
        also: sql`${mailOutbox.also} || coalesce(excluded.shipment_id, excluded.order_id)`,
        amountCents: sql`${mailOutbox.amountCents} + excluded.amount_cents`,
      },
    });
}

/**
 * One mail for each selected row, without those that a unique index of the outbox already has.
 * @param recipients selects `user_id`, `order_id`, `product_id` and `also`, in this order
 * @returns whether a mail was written; the caller then marks `mail` as changed
 */
export async function writeMails(
  tx: Executor,
  kind: MailKind,
  now: Date,
  recipients: SQL,
  quoteId: string | null = null,
): Promise<boolean> {
  const at = now.toISOString();
  const { rowCount } = await tx.execute(sql`
    insert into mail_outbox
      (id, kind, user_id, order_id, product_id, also, quote_id, next_attempt_at, created_at)
    select gen_random_uuid(), ${kind}, user_id, order_id::uuid, product_id::uuid, coalesce(also, '{}'),
      ${quoteId}::uuid, ${at}, ${at}
    from (${recipients}) as mails (user_id, order_id, product_id, also)
    on conflict do nothing`);
  return Boolean(rowCount);
}

/** Mails of one kind that `act` writes to one person are one, which leaves at its end. */
export async function gatherMails<Result>(
  {
    database: { db },
    changes,
    clock,
    ids,
  }: { database: Database; changes: ChangeFeed; clock: Clock; ids: Ids },
  act: () => Promise<Result>,
): Promise<Result> {
  const mailAct = ids.next();
  const result = await requestContext.run({ ...requestContext.current(), mailAct }, act);
  const { rowCount } = await db
    .update(mailOutbox)
    .set({ nextAttemptAt: clock.now() })
    // A mail that is being sent keeps the time of its next attempt.
    .where(and(eq(mailOutbox.actId, mailAct), eq(mailOutbox.state, 'waiting'), eq(mailOutbox.attempts, 0)));
  if (rowCount) await changes.publish('mail');
  return result;
}

import { addDays, beginDay, readDay } from '@parts-forge/contract/text/days';
import { type SQL, sql } from 'drizzle-orm';
import { findUnfinishedImports } from '#src/catalogue/store.ts';
import { purgeMails } from '#src/mail-outbox/store.ts';
import { writeMails } from '#src/mail-outbox/write-mail.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import type { Platform } from '#src/platform/platform.ts';
import { NOTICE_DAYS } from '#src/prices/agreed-prices.ts';

const DAY_MS = 24 * 3_600_000;
/** Retention of the outbox. */
const REMEMBERED_MS = 30 * DAY_MS;

/**
 * Mails customers about expiring orders, ends of agreed prices and parts they wait for, and administrators
 * about scarce parts, once across all rounds and processes. Parts of one round are one mail.
 */
export async function writeReminders({
  changes,
  clock,
  config,
}: Pick<Platform, 'changes' | 'clock' | 'config'>): Promise<void> {
  const now = clock.now();
  await changes.write(async (tx, changed) => {
    const written = [
      await writeMails(tx, 'order-expiring', now, selectExpiring(now)),
      await writeMails(tx, 'low-stock', now, await selectLowStock(tx, now)),
      await writeMails(tx, 'prices-ending', now, await selectEnding(tx, now, config.timeZone)),
      config.smtp !== null && (await writeBackInStock(tx, now)),
    ];
    if (written.includes(true)) changed('mail');
  });
}

/**
 * Short-lived orders have their expiry in the first mail. A batch gets one mail, on its first unpaid order.
 */
function selectExpiring(now: Date): SQL {
  const at = now.toISOString();
  const tomorrow = new Date(now.getTime() + DAY_MS).toISOString();
  return sql`
    select distinct on (coalesce(batch, id)) user_id, id, null, null::uuid[] from orders
    where status = 'due' and closed_at is null and held_until > ${at} and held_until <= ${tomorrow}
      and held_until - created_at > interval '24 hours'
      and not exists (
        select from mail_outbox sent join orders other on other.id = sent.order_id
        where sent.kind = 'order-expiring' and other.batch = orders.batch)
    order by coalesce(batch, id), id`;
}

/** Notices the parts that fell, for each administrator; none while a file is applied. */
async function selectLowStock(tx: Executor, now: Date): Promise<SQL> {
  await tx.execute(sql`
    delete from low_stock_notices n where not exists (
      select from scarce_products s where s.product_id = n.product_id and s.minimum_orders < 1)`);
  const isApplying = (await findUnfinishedImports(tx, now)).length > 0;
  const { rows } = await tx.execute<{ id: string }>(sql`
    insert into low_stock_notices (product_id, created_at)
    select product_id, ${now.toISOString()} from scarce_products s where minimum_orders < 1 and not ${isApplying}
      and not exists (select from low_stock_notices n where n.product_id = s.product_id)
    on conflict do nothing returning product_id as id`);
  const [first = null, ...others] = rows.map(({ id }) => id).sort();
  return sql`
    select id, null, ${first}, ${sql.param(others)}::uuid[] from users
    where role = 'admin' and deleted_at is null and ${first !== null}`;
}

/** One round tells of so many ends, and of all of its last customer. More would take too long for a statement. */
const ENDS_AT_ONCE = 20_000;

/** Marks the prices; a customer's later ones of the same day wait for the next. */
async function selectEnding(tx: Executor, now: Date, timeZone: string): Promise<SQL> {
  const today = readDay(now, timeZone);
  const isEnding = sql`until between ${today} and ${addDays(today, NOTICE_DAYS)} and not end_known`;
  const { rows } = await tx.execute<{ id: string }>(sql`
    update agreed_prices set end_known = true
    where ${isEnding} and user_id in (
      select user_id from (
        select user_id, sum(count(*)) over (order by user_id) - count(*) as before
        from agreed_prices p join users u on u.id = p.user_id and u.role = 'user'
        where ${isEnding} and not exists (
          select from mail_outbox m where m.user_id = p.user_id and m.kind = 'prices-ending'
            and m.created_at >= ${beginDay(today, timeZone).toISOString()})
        group by user_id
      ) as customers where before < ${ENDS_AT_ONCE})
    returning id`);
  return sql`
    select user_id, null, ids[1], ids[2:] from (
      select user_id, array_agg(distinct product_id) as ids from agreed_prices
      where id = any (${sql.param(rows.map(({ id }) => id))}::uuid[]) group by user_id) ending`;
}

/**
 * Compares wishes with stocks, which covers all ways of a restock. The wish stays until its mail has left
 * (`send-mail.ts`), so a part that sells out before is mailed at its next restock. Wishes of deleted parts end;
 * those of administrators, who order nothing, rest.
 */
async function writeBackInStock(tx: Executor, now: Date): Promise<boolean> {
  await tx.execute(sql`
    delete from wishes w using products p where p.id = w.product_id and p.deleted_at is not null`);
  const available = sql`
    select user_id, null, ids[1], ids[2:] from (
      select w.user_id, array_agg(w.product_id order by w.product_id) as ids
      from wishes w join products p on p.id = w.product_id and p.deleted_at is null
        join users u on u.id = w.user_id and u.role = 'user'
      where p.quantity >= p.minimum_order and not exists (
        select from mail_outbox m where m.kind = 'back-in-stock' and m.state = 'waiting'
          and m.user_id = w.user_id and w.product_id = any(m.product_id || m.also))
      group by w.user_id) waiting`;
  return writeMails(tx, 'back-in-stock', now, available);
}

export const forgetMails = ({ database, clock }: Pick<Platform, 'database' | 'clock'>): Promise<number> =>
  purgeMails(database.db, new Date(clock.now().getTime() - REMEMBERED_MS));

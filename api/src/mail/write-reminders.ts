import { type SQL, sql } from 'drizzle-orm';
import { purgeMails } from '#src/mail-outbox/store.ts';
import type { Platform } from '#src/platform/platform.ts';

const DAY_MS = 24 * 3_600_000;
/** Retention of the outbox. */
const REMEMBERED_MS = 30 * DAY_MS;

/**
 * Mails customers about expiring orders and parts they wait for, and administrators about scarce parts, once
 * across all rounds and processes. Parts of one round are one mail; a round waits for a file that is applied. Reads other domains' tables (docs/decisions/0009).
 */
export async function writeReminders({
  changes,
  clock,
  config,
}: Pick<Platform, 'changes' | 'clock' | 'config'>): Promise<void> {
  const now = clock.now();
  await changes.write(async (tx, changed) => {
    const at = sql`${now.toISOString()}::timestamptz`;
    const tomorrow = sql`${new Date(now.getTime() + DAY_MS).toISOString()}::timestamptz`;
    // Short-lived orders have their expiry in the first mail. A batch gets one mail, on its first unpaid
    // order.
    const expiring = await tx.execute(sql`
      insert into mail_outbox (id, kind, user_id, order_id, next_attempt_at, created_at)
      select distinct on (coalesce(batch, id)) gen_random_uuid(), 'order-expiring', user_id, id, ${at}, ${at} from orders
      where status = 'due' and closed_at is null and held_until > ${at} and held_until <= ${tomorrow}
        and held_until - created_at > interval '24 hours'
        and not exists (
          select from mail_outbox sent join orders other on other.id = sent.order_id
          where sent.kind = 'order-expiring' and other.batch = orders.batch)
      order by coalesce(batch, id), id
      on conflict (order_id) where kind = 'order-expiring' do nothing`);
    await tx.execute(sql`
      delete from low_stock_notices n where not exists (
        select from scarce_products s where s.product_id = n.product_id and s.minimum_orders < 1)`);
    const low = await tx.execute(sql`
      with fallen as (
        insert into low_stock_notices (product_id, created_at)
        select product_id, ${at} from scarce_products s where minimum_orders < 1
          and not exists (select from low_stock_notices n where n.product_id = s.product_id)
          and not exists (select from product_imports i where i.applied_at is not null
            and i.done < (i.counts ->> 'new')::int + (i.counts ->> 'changed')::int)
        on conflict do nothing returning product_id
      ), listed as (select array_agg(product_id order by product_id) as ids from fallen)
      insert into mail_outbox (id, kind, user_id, product_id, also, next_attempt_at, created_at)
      select gen_random_uuid(), 'low-stock', u.id, ids[1], ids[2:], ${at}, ${at}
      from listed, users u
      where u.role = 'admin' and u.deleted_at is null and ids is not null`);
    const back = config.smtp ? await tx.execute(writeBackInStock(at)) : { rowCount: 0 };
    if ([expiring, low, back].some(({ rowCount }) => rowCount)) changed('mail');
  });
}

/**
 * Compares wishes with stocks, which covers all ways of a restock. The wish stays until its mail has left
 * (`send-mail.ts`), so a part that sells out before is mailed at its next restock. Wishes of deleted parts end;
 * those of administrators, who order nothing, rest.
 */
const writeBackInStock = (at: SQL) => sql`
  with gone as (
    delete from wishes w using products p where p.id = w.product_id and p.deleted_at is not null
  )
  insert into mail_outbox (id, kind, user_id, product_id, also, next_attempt_at, created_at)
  select gen_random_uuid(), 'back-in-stock', user_id, ids[1], ids[2:], ${at}, ${at} from (
    select w.user_id, array_agg(w.product_id order by w.product_id) as ids
    from wishes w join products p on p.id = w.product_id and p.deleted_at is null
      join users u on u.id = w.user_id and u.role = 'user'
    where p.quantity >= p.minimum_order and not exists (
      select from mail_outbox m where m.kind = 'back-in-stock' and m.state = 'waiting'
        and m.user_id = w.user_id and w.product_id = any(m.product_id || m.also))
    group by w.user_id) those
  on conflict (user_id, product_id) where kind = 'back-in-stock' and state = 'waiting' do nothing`;

/** In any state. */
export const forgetMails = ({ database, clock }: Pick<Platform, 'database' | 'clock'>): Promise<number> =>
  purgeMails(database.db, new Date(clock.now().getTime() - REMEMBERED_MS));

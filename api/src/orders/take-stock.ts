import type { Database } from '#src/platform/database/connection.ts';

export interface IdempotencyKey {
  text: string;
  bodyHash: Buffer;
}

export interface OrderPlacement {
  id: string;
  userId: string;
  name: string;
  email: string;
  address: string;
  phone: string;
  productId: string;
  /** Pieces, at least 1. */
  quantity: number;
  /** The price of a piece that the customer has seen. */
  priceCents: number;
  totalCents: number;
  /** When it expires unless it is paid; null: never. */
  heldUntil: Date | null;
  /** Of the mail that tells the customer. */
  mailId: string;
  now: Date;
  /** Null when the customer sent none. */
  key: IdempotencyKey | null;
}

/** How orders are placed, whichever they are. */
export interface PlacementLimits {
  /** Unpaid orders that a customer may have with the new ones; null: any number. */
  maxUnpaid: number | null;
  /** How long to wait for each lock, in milliseconds; null: as long as any statement of the shop. */
  lockTimeoutMs: number | null;
}

/**
 * Stock, orders, keys and mails in one statement, which is a transaction of its own. It touches the products' table and
 * the mail outbox beside the orders' own because further statements would be further round trips, with the products'
 * rows locked between them: this is what every buyer of a hot product waits for. It moves the stock as `returnStock`
 * does in the other direction, and writes mails as `writeMail` does.
 *
 * Its steps, in the order in which they run, as each reads the one before:
 *
 * - `input` bounds the waiting for locks, and `asked` has the orders as rows, numbered in order of arrival. The arrays
 *   pass through `input` so that their length is unknown to the planner: it would else plan each execution anew.
 * - `counted` takes the lock of each customer (docs/decisions/0032), `locked` then that of each product, both in the
 *   order of their ids and in no other, so that no two statements wait for each other.
 * - `fitting` are those that keep the conditions, summed up in order of arrival, on the products as they are under the
 *   lock. One that does not fit counts in the sums, too: whoever comes behind it may be left out and tries again alone.
 * - `keyed` leaves out those whose key was used before, by another statement or by an earlier row of this one.
 * - The rest is `placed`.
 */
const takeStockAndWrite = `
  with input as materialized (
    select set_config('lock_timeout', coalesce($1, current_setting('lock_timeout')), true),
      $3::uuid[] as ids, $4::uuid[] as user_ids, $5::text[] as names, $6::text[] as emails, $7::text[] as addresses,
      $8::text[] as phones, $9::uuid[] as product_ids, $10::int[] as quantities, $11::int[] as prices,
      $12::bigint[] as totals, $13::timestamptz[] as ends, $14::uuid[] as mail_ids, $15::timestamptz[] as nows,
      $16::text[] as keys, $17::bytea[] as body_hashes
  ), asked as materialized (
    select asked.* from input, unnest(ids, user_ids, names, emails, addresses, phones, product_ids, quantities, prices,
      totals, ends, mail_ids, nows, keys, body_hashes) with ordinality
      as asked (id, user_id, name, email, address, phone, product_id, quantity, price_cents,
        total_cents, held_until, mail_id, now, key, body_hash, place)
  ), counted as materialized (
    select user_id, count_unpaid_orders(user_id) as unpaid
    from (select distinct user_id from asked where $2::int is not null order by user_id) as customers
  ), locked as materialized (
    select id, name, image, price_cents, quantity, minimum_order from products
    where id = any (array(select product_id from asked)) and deleted_at is null
      and (select count(*) from counted) >= 0
    order by id for no key update
  ), fitting as materialized (
    select * from (
      select asked.*, locked.name as product_name, locked.image, locked.quantity as stock,
        sum(asked.quantity) over (partition by asked.product_id order by place) as pieces,
        row_number() over (partition by asked.user_id order by place) as turn
      from asked join locked on locked.id = asked.product_id
      where asked.quantity >= locked.minimum_order and asked.price_cents = locked.price_cents
    ) as eligible
    where pieces <= stock
      and ($2 is null or turn + (select unpaid from counted where counted.user_id = eligible.user_id) <= $2)
  ), keyed as (
    insert into order_keys (user_id, key, body_hash, order_id, created_at)
    select user_id, key, body_hash, id, now from fitting where key is not null order by user_id, key, place
    on conflict do nothing
    returning order_id
  ), placed as materialized (
    select * from fitting where key is null or id in (select order_id from keyed)
  ), taken as (
    update products set quantity = products.quantity - sums.pieces, updated_at = sums.now
    from (select product_id, sum(quantity) as pieces, max(now) as now from placed group by product_id) as sums
    where products.id = sums.product_id
  ), written as (
    insert into orders (id, user_id, product_id, product_name, image, price_cents, name, email, address, phone,
      quantity, total_cents, held_until, created_at, updated_at)
    select id, user_id, product_id, product_name, image, price_cents, name, email, address, phone,
      quantity, total_cents, held_until, now, now from placed
  ), mailed as (
    insert into mail_outbox (id, kind, user_id, order_id, next_attempt_at, created_at)
    select mail_id, 'order-placed', user_id, id, now, now from placed
  )
  select id, nextval('change_numbers') as change from placed`;

/**
 * For each of the orders, takes the stock and writes it, or does neither: as if they were placed one after the other, in
 * the order of the list, but for what `fitting` above says. One is placed when the product is there, the quantity
 * between minimum order and stock, the price the present one, the customer's unpaid orders fewer than they may be, and
 * its key was not used before.
 * @returns the number under which the change is to be published, by the id of each order that was placed
 */
export async function takeStockAndWriteOrders(
  database: Database,
  orders: readonly OrderPlacement[],
  { maxUnpaid, lockTimeoutMs }: PlacementLimits,
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await database.runPrepared<{ id: string; change: number }>({
    name: 'place-orders',
    text: takeStockAndWrite,
    values: [
      lockTimeoutMs,
      maxUnpaid,
      orders.map(({ id }) => id),
      orders.map(({ userId }) => userId),
      orders.map(({ name }) => name),
      orders.map(({ email }) => email),
      orders.map(({ address }) => address),
      orders.map(({ phone }) => phone),
      orders.map(({ productId }) => productId),
      orders.map(({ quantity }) => quantity),
      orders.map(({ priceCents }) => priceCents),
      orders.map(({ totalCents }) => totalCents),
      orders.map(({ heldUntil }) => heldUntil),
      orders.map(({ mailId }) => mailId),
      orders.map(({ now }) => now),
      orders.map(({ key }) => key?.text ?? null),
      orders.map(({ key }) => key?.bodyHash ?? null),
    ],
  });
  return new Map(rows.map(({ id, change }) => [id, change]));
}

import { MAX_TOTAL_CENTS } from '@parts-forge/contract/bounds';
import type { OrderedPart } from '#src/platform/database/change-feed.ts';
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
  /** The price of a piece that the customer has seen: that of the quantity, or the part's own (contract, "Fields of a part and of an order beyond the specification"). */
  seenPriceCents: number;
  /** The customer's own reference. */
  reference: string | null;
  /** What is placed together has the same one; null: placed alone. */
  batch: string | null;
  /** When it expires unless it is paid; null: never. */
  heldUntil: Date | null;
  /** Of the mail that tells the customer; null where that of another order of the batch tells of this one, too. */
  mailId: string | null;
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
 * What a piece costs in cents when so many are ordered: `unitPriceFor` of the contract in SQL, as it has to be known under
 * the product's lock. The arguments are SQL, too; breaks are stored rising in quantity, so the last one reached is meant.
 * An expression and no function of the database, so that it changes with the code that it is a part of; a test compares
 * the two over many parts. Most parts have no breaks and pay for none.
 */
export const unitPriceSql = (quantity: string, priceCents: string, priceBreaks: string): string =>
  `case when ${priceBreaks} = '[]' then ${priceCents} else
    coalesce((jsonb_path_query_array(${priceBreaks}, '$[*] ? (@.quantity <= $pieces).priceCents',
      jsonb_build_object('pieces', ${quantity})) ->> -1)::int, ${priceCents}) end`;

/** In place of no limit, as whoever is removed has no count and is left out by the same comparison: more than anybody has. */
const MAX_INTEGER = 2 ** 31 - 1;

/**
 * The orders as arrays, one a column. A single jsonb parameter through `jsonb_to_recordset` takes as long for one order,
 * but 7 % longer for 16 and 11 % for 100 (medians, both statements in turn, PostgreSQL 18, 2026-11-25).
 */
const columns: readonly [name: string, type: string, read: (order: OrderPlacement) => unknown][] = [
  ['id', 'uuid', (order) => order.id],
  ['user_id', 'uuid', (order) => order.userId],
  ['name', 'text', (order) => order.name],
  ['email', 'text', (order) => order.email],
  ['address', 'text', (order) => order.address],
  ['phone', 'text', (order) => order.phone],
  ['product_id', 'uuid', (order) => order.productId],
  ['quantity', 'int', (order) => order.quantity],
  ['seen_price', 'int', (order) => order.seenPriceCents],
  ['reference', 'text', (order) => order.reference],
  ['batch', 'uuid', (order) => order.batch],
  ['held_until', 'timestamptz', (order) => order.heldUntil],
  ['mail_id', 'uuid', (order) => order.mailId],
  ['now', 'timestamptz', (order) => order.now],
  ['key', 'text', (order) => order.key?.text ?? null],
  ['body_hash', 'bytea', (order) => order.key?.bodyHash ?? null],
];
const columnNames = columns.map(([name]) => name).join(', ');

/** How the orders of one statement belong together: not at all, or as a batch, all of which is placed or nothing. */
type Bond = 'each' | 'all';

/**
 * Stock, orders, keys and mails in one statement, which is a transaction of its own. It touches the products' table, the
 * mail outbox and the saved batches beside the orders' own because further statements would be further round trips, with
 * the products' rows locked between them: this is what every buyer of a hot product waits for. It moves the stock as
 * `returnStock` does in the other direction, writes mails as `writeMail` does, and takes what was placed out of the saved
 * batch.
 *
 * Its steps, in the order in which they run, as each reads the one before:
 *
 * - `input` bounds the waiting for locks, and `asked` has the orders as rows, numbered in order of arrival. The arrays
 *   pass through `input` so that their length is unknown to the planner: it would else plan each execution anew.
 * - `counted` holds the row of each customer, as whoever removes them does, so that an order is placed before that or not
 *   at all; who is removed by then has no row in it, and nothing that fits. It takes the lock for counting of each
 *   (docs/decisions/0032), `locked` then that of each product, all in the order of their ids and in no other, so that no
 *   two statements wait for each other.
 * - `fitting` are those that keep the conditions, summed up in order of arrival, on the products as they are under the
 *   lock. One that does not fit counts in the sums, too: whoever comes behind it may be left out and tries again alone. A
 *   batch counts as one unpaid order. The price of each is found once, in `priced`: without its `offset 0` the planner
 *   would do so for every mention.
 * - `complete` are all of a batch, or none.
 * - `keyed` leaves out those whose key was used before, by another statement or by an earlier row of this one. A batch has
 *   its key in its first row, and is left out with it.
 * - The rest is `placed`, and `taken` are the products whose stock it took.
 */
const buildStatement = (bond: Bond) => `
  with input as materialized (
    select set_config('lock_timeout', coalesce($1, current_setting('lock_timeout')), true),
      ${columns.map(([name, type], index) => `$${index + 3}::${type}[] as ${name}`).join(', ')}
  ), asked as materialized (
    select asked.* from input, unnest(${columnNames}) with ordinality as asked (${columnNames}, place)
  ), counted as materialized (
    select user_id, case when $2::int is null then 0 else count_unpaid_orders(user_id) end as unpaid
    from (
      select id as user_id from users where id = any (array(select user_id from asked)) and deleted_at is null
      order by id for share
    ) as customers
  ), locked as materialized (
    select id, name, image, price_cents, price_breaks, quantity, minimum_order, order_step from products
    where id = any (array(select product_id from asked)) and deleted_at is null
      and (select count(*) from counted) >= 0
    order by id for no key update
  ), fitting as materialized (
    select * from (
      select *, sum(quantity) over (partition by product_id order by place) as pieces,
        ${bond === 'all' ? '1' : 'row_number() over (partition by user_id order by place)'} as turn
      from (
        select asked.*, locked.name as product_name, locked.image, locked.quantity as stock,
          locked.price_cents as part_price,
          ${unitPriceSql('asked.quantity', 'locked.price_cents', 'locked.price_breaks')} as unit_price
        from asked join locked on locked.id = asked.product_id
        where asked.quantity >= locked.minimum_order and asked.quantity % locked.order_step = 0
        offset 0
      ) as priced
      where seen_price in (unit_price, part_price) and quantity::bigint * unit_price <= ${MAX_TOTAL_CENTS}
    ) as eligible
    where pieces <= stock
      and turn + (select unpaid from counted where counted.user_id = eligible.user_id) <= coalesce($2, ${MAX_INTEGER})
  ), complete as ${bond === 'all' ? 'materialized' : 'not materialized'} (
    select * from fitting
    ${bond === 'all' ? 'where (select count(*) from fitting) = (select count(*) from asked)' : ''}
  ), keyed as (
    insert into order_keys (user_id, key, body_hash, order_id, created_at)
    select user_id, key, body_hash, id, now from complete where key is not null order by user_id, key, place
    on conflict do nothing
    returning order_id
  ), placed as materialized (
    select * from complete
    where ${
      bond === 'all'
        ? '(select count(*) from keyed) = (select count(key) from complete)'
        : 'key is null or id in (select order_id from keyed)'
    }
  ), taken as (
    update products set quantity = products.quantity - sums.pieces, updated_at = sums.now
    from (select product_id, sum(quantity) as pieces, max(now) as now from placed group by product_id) as sums
    where products.id = sums.product_id
    returning products.id
  ), written as (
    insert into orders (id, user_id, product_id, product_name, image, price_cents, name, email, address, phone,
      quantity, total_cents, reference, batch, held_until, created_at, updated_at)
    select id, user_id, product_id, product_name, image, unit_price, name, email, address, phone,
      quantity, quantity::bigint * unit_price, reference, batch, held_until, now, now from placed
    ${bond === 'all' ? 'order by place' : ''}
  ), mailed as (
    insert into mail_outbox (id, kind, user_id, order_id, next_attempt_at, created_at)
    select mail_id, 'order-placed', user_id, id, now, now from placed where mail_id is not null
  )${bond === 'all' ? unlistPlaced : ''}
  select placed.id, nextval('change_numbers') as number, taken.id as "productId"
  from placed join taken on taken.id = placed.product_id`;

/** In the order in which a list is locked by everybody, so that no two wait for each other. */
const unlistPlaced = `, listed as materialized (
    select user_id, product_id from batch_lines
    where (user_id, product_id) in (select user_id, product_id from placed) order by product_id for update
  ), unlisted as (
    delete from batch_lines where (user_id, product_id) in (select user_id, product_id from listed)
  )`;

const placeEach = { name: 'place-orders', text: buildStatement('each') };
const placeAll = { name: 'place-batch', text: buildStatement('all') };

/**
 * For each of the orders, takes the stock and writes it, or does neither: as if they were placed one after the other, in
 * the order of the list, but for what `fitting` above says. One is placed when the product is there, the quantity
 * between minimum order and stock and a multiple of the step, the price the present one, the customer's unpaid orders
 * fewer than they may be, and its key was not used before. It is written at the price of its quantity, which may be lower
 * than the one that was seen.
 * @returns what is to be published of each order that was placed, by its id
 */
export const takeStockAndWriteOrders = (
  database: Database,
  orders: readonly OrderPlacement[],
  limits: PlacementLimits,
): Promise<ReadonlyMap<string, OrderedPart>> => run(database, placeEach, orders, limits);

/**
 * The same for the orders of one batch, each of another product: all of them, or none. They leave the customer's saved
 * batch in the same step.
 * @returns as above; empty when there was one that could not be placed, or the key was used before
 */
export const takeStockAndWriteBatch = (
  database: Database,
  orders: readonly OrderPlacement[],
  limits: PlacementLimits,
): Promise<ReadonlyMap<string, OrderedPart>> => run(database, placeAll, orders, limits);

async function run(
  database: Database,
  statement: { name: string; text: string },
  orders: readonly OrderPlacement[],
  { maxUnpaid, lockTimeoutMs }: PlacementLimits,
): Promise<ReadonlyMap<string, OrderedPart>> {
  const { rows } = await database.runPrepared<{ id: string } & OrderedPart>({
    ...statement,
    values: [lockTimeoutMs, maxUnpaid, ...columns.map(([, , read]) => orders.map(read))],
  });
  return new Map(rows.map(({ id, ...ordered }) => [id, ordered]));
}

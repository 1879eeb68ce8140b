import { MAX_TOTAL_CENTS } from '@parts-forge/contract/calls/bounds';
import { shopCurrency } from '@parts-forge/contract/money/currency';
import { unlistPlaced } from '#src/batch/unlist-placed.ts';
import { lockAskingTokens } from '#src/identity/lock-tokens.ts';
import type { Config } from '#src/platform/core/config.ts';
import type { OrderedPart } from '#src/platform/database/change-feed.ts';
import type { Database } from '#src/platform/database/connection.ts';
import { ownPriceSql } from '#src/prices/own-prices.ts';

export interface IdempotencyKey {
  text: string;
  bodyHash: Buffer;
}

export interface OrderPlacement {
  id: string;
  userId: string;
  /** Belongs to the access token or key that orders. */
  tokenHash: Buffer;
  name: string;
  email: string;
  address: string;
  phone: string;
  productId: string;
  quantity: number;
  /** The total, with or without price breaks. */
  seenCents: number;
  reference: string | null;
  batch: string | null;
  keyId: string | null;
  /** Null if unpaid orders never expire. */
  heldUntil: Date | null;
  /** Null when another order's mail covers this one. */
  mailId: string | null;
  now: Date;
  /** In the shop's time zone. */
  today: string;
  key: IdempotencyKey | null;
}

/** `unitPriceFor` of the contract in SQL, for use under the product's lock; a test compares the two. */
export const unitPriceSql = (quantity: string, priceCents: string, priceBreaks: string): string =>
  `case when ${priceBreaks} = '[]' then ${priceCents} else
    coalesce((jsonb_path_query_array(${priceBreaks}, '$[*] ? (@.quantity <= $pieces).priceCents',
      jsonb_build_object('pieces', ${quantity})) ->> -1)::int, ${priceCents}) end`;

/** `totalCents` of the contract in SQL, of the total with its tax; a test compares the two. */
export const withoutTaxSql = (cents: string, rate: string): string =>
  `${cents} - div(2 * ${rate} * (${cents})::numeric + 10000 + ${rate}, 2 * (10000 + ${rate}))::bigint`;

const MAX_INTEGER = 2 ** 31 - 1;

/** 7 % faster than `jsonb_to_recordset` for 16 orders, 11 % for 100 (medians, PostgreSQL 18, 2026-11-25). */
const columns: readonly [name: string, type: string, read: (order: OrderPlacement) => unknown][] = [
  ['id', 'uuid', (order) => order.id],
  ['user_id', 'uuid', (order) => order.userId],
  ['token_hash', 'bytea', (order) => order.tokenHash],
  ['name', 'text', (order) => order.name],
  ['email', 'text', (order) => order.email],
  ['address', 'text', (order) => order.address],
  ['phone', 'text', (order) => order.phone],
  ['product_id', 'uuid', (order) => order.productId],
  ['quantity', 'int', (order) => order.quantity],
  ['seen_total', 'bigint', (order) => order.seenCents],
  ['reference', 'text', (order) => order.reference],
  ['batch', 'uuid', (order) => order.batch],
  ['key_id', 'uuid', (order) => order.keyId],
  ['held_until', 'timestamptz', (order) => order.heldUntil],
  ['mail_id', 'uuid', (order) => order.mailId],
  ['now', 'timestamptz', (order) => order.now],
  ['today', 'date', (order) => order.today],
  ['key', 'text', (order) => order.key?.text ?? null],
  ['body_hash', 'bytea', (order) => order.key?.bodyHash ?? null],
];
const tax = `$${columns.length + 3}::jsonb`;
const currency = `$${columns.length + 4}::text`;
const columnNames = columns.map(([name]) => name).join(', ');

/** `each`: the orders that fit. `all`: the whole batch or nothing. */
type Bond = 'each' | 'all';

/**
 * One statement: each further round trip would hold the locks of hot products longer. So it repeats the
 * work of `returnStock` (in reverse), `writeMail` and the removal from saved batches.
 *
 * - `input` sets the lock timeout, and hides the arrays' length, for which the planner would plan each
 *   execution again.
 * - `asked` numbers the orders as they arrived.
 * - `counted` locks the customers' rows, so a concurrent account deletion or change of tax either waits or is
 *   seen. It also takes the lock for counting (`countUnpaidOrders`), and copies what the papers say.
 * - `callers` locks their tokens: with `counted` it is `Actor.confirm` for a group.
 * - `locked` locks the products by id, which prevents deadlocks.
 * - `fitting` takes the lower of list and own price, and checks the conditions with running sums. A process that
 *   another start has given another currency places nothing. Unfitting orders count too, so later ones may fail
 *   and retry alone. A batch counts as one unpaid order. `offset 0`: the planner computes each price once.
 * - `complete` is the whole batch or nothing.
 * - `keyed` drops orders with a used key, and the whole batch if its first row has one.
 * - `placed` is the rest, `taken` their products.
 * - `written` holds a large share of a part for an hour only, for who never paid (`takes_large_share`). Without
 *   a limit of unpaid orders `unpaid` is 0, and an order below a hundredth of the stock is not looked at.
 */
const buildStatement = (bond: Bond) => `
  with input as materialized (
    select set_config('lock_timeout', coalesce($1, current_setting('lock_timeout')), true),
      ${columns.map(([name, type], index) => `$${index + 3}::${type}[] as ${name}`).join(', ')}
  ), asked as materialized (
    select asked.* from input, unnest(${columnNames}) with ordinality as asked (${columnNames}, place)
  ), counted as materialized (
    select user_id, untaxed_rate, facts,
      case when $2::int is null then 0 else count_unpaid_orders(user_id) end as unpaid
    from (
      select id as user_id,
        case tax when 'standard' then 0 else coalesce((${tax} ->> 'rate')::int, 0) end as untaxed_rate,
        jsonb_build_object('company', company, 'taxNumber', tax_number, 'billingAddress', billing_address,
          'country', country, 'tax', tax, 'taxReason', tax_reason, 'shopTax', ${tax}) as facts
      from users where id = any (array(select user_id from asked)) and deleted_at is null
        and role = 'user'
      order by id for share
    ) as customers
  ), callers as materialized (${lockAskingTokens('(select count(*) from counted) >= 0')}
  ), locked as materialized (
    select id, number, name, image, price_cents, price_breaks, quantity, minimum_order, order_step from products
    where id = any (array(select product_id from asked)) and deleted_at is null
      and (select count(*) from callers) >= 0
    order by id for no key update
  ), fitting as materialized (
    select * from (
      select *, sum(quantity) over (partition by product_id order by place) as pieces,
        ${bond === 'all' ? 'quantity' : 'sum(quantity) over (partition by product_id, user_id order by place)'} as mine,
        ${bond === 'all' ? '1' : 'row_number() over (partition by user_id order by place)'} as turn
      from (
        select *, ${withoutTaxSql('quantity::bigint * unit_price', 'untaxed_rate')} as total,
          ${withoutTaxSql('quantity::bigint * list_price', 'untaxed_rate')} as list_total,
          ${withoutTaxSql('quantity::bigint * part_price', 'untaxed_rate')} as part_total
        from (
          select *, least(list_price,
            ${ownPriceSql('listed.user_id', 'listed.product_id', 'listed.quantity', 'listed.today')}) as unit_price
          from (
            select asked.*, locked.name as product_name, locked.image, locked.quantity as stock,
              locked.price_cents as part_price, untaxed_rate, unpaid,
              facts || jsonb_build_object('partNumber', number, 'priceBreaks', price_breaks) as facts,
              ${unitPriceSql('asked.quantity', 'locked.price_cents', 'locked.price_breaks')} as list_price
            from asked join locked on locked.id = asked.product_id join counted using (user_id)
            where asked.token_hash in (select hash from callers)
              and asked.quantity >= locked.minimum_order and asked.quantity % locked.order_step = 0
            offset 0
          ) as listed
          offset 0
        ) as priced
      ) as summed
      where seen_total in (total, list_total, part_total) and total <= ${MAX_TOTAL_CENTS}
        and ${currency} = coalesce((select value from settings where name = 'currency'), ${currency})
    ) as eligible
    where pieces <= stock and turn + unpaid <= coalesce($2, ${MAX_INTEGER})
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
      quantity, untaxed_rate, total_cents, facts, reference, batch, key_id, currency, held_until, created_at, updated_at)
    select id, user_id, product_id, product_name, image, unit_price, name, email, address, phone,
      quantity, untaxed_rate, total, facts, reference, batch, key_id, lower(${currency}),
      case when held_until > now + interval '1 hour' and (unpaid > 0 or 100 * mine > stock)
        and takes_large_share(user_id, product_id, mine, stock) then now + interval '1 hour' else held_until end, now, now from placed
    ${bond === 'all' ? 'order by place' : ''}
  ), mailed as (
    insert into mail_outbox (id, kind, user_id, order_id, next_attempt_at, created_at)
    select mail_id, 'order-placed', user_id, id, now, now from placed where mail_id is not null
  )${bond === 'all' ? unlistPlaced : ''}
  select placed.id, nextval('change_numbers') as number, taken.id as "productId"
  from placed join taken on taken.id = placed.product_id`;

const statements: Record<Bond, { name: string; text: string }> = {
  each: { name: 'place-orders', text: buildStatement('each') },
  all: { name: 'place-batch', text: buildStatement('all') },
};

/**
 * See `fitting`. The total may be lower than the one seen. With `all` the lines leave the saved batch, too.
 * @param lockTimeoutMs null for the database setting
 * @returns the change to publish, by order id
 */
export async function takeStockAndWriteOrders(
  database: Database,
  { maxUnpaidOrders, tax }: Pick<Config, 'maxUnpaidOrders' | 'tax'>,
  bond: Bond,
  orders: readonly OrderPlacement[],
  lockTimeoutMs: number | null = null,
): Promise<ReadonlyMap<string, OrderedPart>> {
  const { rows } = await database.runPrepared<{ id: string } & OrderedPart>({
    ...statements[bond],
    values: [
      lockTimeoutMs,
      maxUnpaidOrders,
      ...columns.map(([, , read]) => orders.map(read)),
      JSON.stringify(tax),
      shopCurrency().code,
    ],
  });
  return new Map(rows.map(({ id, ...ordered }) => [id, ordered]));
}

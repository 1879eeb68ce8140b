/**
 * One order in its plainest statement: pgbench's yardstick, and the shop's own before grouped orders
 * (docs/decisions/0080).
 */
export const takeStockAndWriteOne = `
  with taken as (
    update products set quantity = quantity - $3, updated_at = $4
    where id = $2 and deleted_at is null and minimum_order <= $3 and quantity >= $3 and price_cents = $13
      and ($15::int is null or (select count_unpaid_orders($6)) < $15)
    returning id, name, image, price_cents
  ), placed as (
    insert into orders (id, user_id, product_id, product_name, image, price_cents, name, email, address, phone,
      quantity, total_cents, held_until, created_at, updated_at)
    select $1, $6, id, name, image, price_cents, $7, $8, $9, $10, $3, $5, $14::timestamptz, $4, $4 from taken
    returning id
  ), keyed as (
    insert into order_keys (user_id, key, body_hash, order_id, created_at)
    select $6, $11, $12, id, $4 from placed where $11::text is not null
  ), mailed as (
    insert into mail_outbox (id, kind, user_id, order_id, next_attempt_at, created_at)
    select $16, 'order-placed', $6, id, $4, $4 from placed
  )
  select nextval('change_numbers') as change from placed`;

/**
 * Every statement on a saved batch locks in this order. A line with another quantity was changed elsewhere,
 * so it stays. A part of the statement of `take-stock.ts`, whose `placed` has the new orders.
 */
export const unlistPlaced = `, listed as materialized (
    select user_id, product_id from batch_lines
    where (user_id, product_id, quantity) in (select user_id, product_id, quantity from placed)
    order by product_id for update
  ), unlisted as (
    delete from batch_lines where (user_id, product_id) in (select user_id, product_id from listed)
  )`;

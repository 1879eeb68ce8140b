DROP INDEX "orders_unpaid";--> statement-breakpoint
CREATE INDEX "webhook_events_declined" ON "webhook_events" USING btree ("received_at") WHERE "webhook_events"."type" = 'payment_intent.payment_failed';--> statement-breakpoint
CREATE INDEX "orders_unpaid" ON "orders" USING btree ("user_id","product_id","quantity","total_cents") WHERE "orders"."status" = 'due' and "orders"."closed_at" is null;--> statement-breakpoint
-- Volatile, so that it sees what was committed while its statement waited for the lock of the part. The
-- share comes first: it reads a hundred rows at most, and is seldom large.
create function takes_large_share(customer uuid, part uuid, pieces bigint, stock bigint) returns boolean
language plpgsql volatile
-- The planner knows nothing of a new shop's tables: it would read them whole, and without the order by
-- another index, in a plan that it keeps.
set enable_seqscan = off as $$
begin
  if 4 * pieces + 3 * (
    select coalesce(sum(quantity), 0) from (
      select quantity from orders
      where user_id = customer and product_id = part and status = 'due' and closed_at is null
      order by quantity limit 100
    ) as held
  ) <= stock then
    return false;
  end if;
  return not exists (select from orders where user_id = customer and status <> 'due' and closed_at is null)
    and not exists (select from orders where user_id = customer and status <> 'due' and closed_at is not null);
end $$;

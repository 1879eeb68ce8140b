-- By hand: orders that were paid before the shop issued invoices count once they have one.
INSERT INTO "settings" ("name", "value")
	SELECT 'papers_since', now()::text WHERE EXISTS (SELECT FROM "orders" WHERE "transaction_id" IS NOT NULL
		AND NOT EXISTS (SELECT FROM "invoices" WHERE "order_id" = "orders"."id"))
	ON CONFLICT DO NOTHING;

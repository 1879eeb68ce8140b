CREATE TABLE "product_import_lines" (
	"import_id" uuid NOT NULL,
	"place" integer NOT NULL,
	"change" jsonb,
	"problems" jsonb NOT NULL,
	CONSTRAINT "product_import_lines_import_id_place_pk" PRIMARY KEY("import_id","place")
);
--> statement-breakpoint
ALTER TABLE "product_import_lines" ADD CONSTRAINT "product_import_lines_import_id_product_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."product_imports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
WITH changes AS (
	SELECT id, line, n FROM product_imports, jsonb_array_elements(lines) WITH ORDINALITY AS each (line, n)
), refusals AS (
	SELECT id, problem->'line' AS line, jsonb_agg(problem ORDER BY n) AS problems, min(n) AS n
	FROM product_imports, jsonb_array_elements(problems) WITH ORDINALITY AS each (problem, n)
	GROUP BY id, problem->'line'
)
INSERT INTO product_import_lines (import_id, place, change, problems)
SELECT coalesce(c.id, r.id),
	row_number() OVER (PARTITION BY coalesce(c.id, r.id) ORDER BY c.n NULLS LAST, r.n) - 1,
	c.line, coalesce(r.problems, '[]')
FROM changes c FULL JOIN refusals r ON r.id = c.id AND r.line = c.line->'line';--> statement-breakpoint
ALTER TABLE "product_imports" ALTER COLUMN "left_out" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "product_imports" ALTER COLUMN "left_out" SET DATA TYPE integer USING jsonb_array_length("left_out");--> statement-breakpoint
ALTER TABLE "product_imports" ALTER COLUMN "left_out" SET DEFAULT 0;--> statement-breakpoint
ALTER TABLE "product_imports" DROP COLUMN "lines";--> statement-breakpoint
ALTER TABLE "product_imports" DROP COLUMN "problems";

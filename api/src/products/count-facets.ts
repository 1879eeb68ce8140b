import type { Kind } from '@parts-forge/contract/products/part-rules';
import { KINDS } from '@parts-forge/contract/products/part-rules';
import type { ProductFacets } from '@parts-forge/contract/products/products';
import { and, or, sql } from 'drizzle-orm';
import type { Executor } from '#src/platform/database/connection.ts';
import { buildConditions, joinConditions, type ProductFilter } from './filter-products.ts';
import { products } from './schema.ts';

/** The models with the most parts. */
const MAX_MODELS = 1000;

const byName = new Intl.Collator('en', { numeric: true }).compare;

/**
 * Each count is under all filters but its own. One scan for both: a million parts group into some thousand
 * rows.
 */
export async function countFacets(db: Executor, filter: ProductFilter): Promise<ProductFacets> {
  const { conditions } = await buildConditions(db, filter);
  const { kind, fits } = conditions;
  const both = kind && fits ? or(kind, fits) : undefined;
  const { rows } = await db.execute<{ kind: Kind | null; model: string | null; count: number }>(sql`
    with counted as materialized (
      select kind, fits, count(*) from ${products}
      where ${and(joinConditions(conditions, 'kind', 'fits'), both)} group by kind, fits
    )
    (select kind, null as model, sum(count)::int as count from counted as ${products}
      where ${fits ?? sql`true`} group by kind)
    union all
    (select null, model, sum(count)::int as count from counted as ${products}, unnest(${products.fits}) as model
      where ${kind ?? sql`true`} group by model order by 3 desc, model limit ${MAX_MODELS})`);
  const kinds = rows.flatMap(({ kind, count }) => (kind === null ? [] : [{ kind, count }]));
  const models = rows.flatMap(({ model, count }) => (model === null ? [] : [{ model, count }]));
  return {
    kinds: kinds.sort((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind)),
    fits: models.sort((a, b) => byName(a.model, b.model)),
  };
}

import { KINDS } from '@parts-forge/contract/part-rules';
import type { ProductFacets } from '@parts-forge/contract/products';
import { count, desc, sql } from 'drizzle-orm';
import type { Executor } from '#src/platform/database/connection.ts';
import { buildConditions, joinConditions, type ProductFilter } from './filter-products.ts';
import { products } from './schema.ts';

/** Models of an answer; where there are more, those with the most parts. */
const MAX_MODELS = 1000;

const byName = new Intl.Collator('en', { numeric: true }).compare;

/** How many products there are of each kind and for each model, each under all filters but its own. */
export async function countFacets(db: Executor, filter: ProductFilter): Promise<ProductFacets> {
  const conditions = await buildConditions(db, filter);
  const model = sql<string>`model`;
  const [kinds, fits] = await Promise.all([
    db
      .select({ kind: products.kind, count: count() })
      .from(products)
      .where(joinConditions(conditions, 'kind'))
      .groupBy(products.kind),
    db
      .select({ model, count: count() })
      .from(products)
      .crossJoin(sql`unnest(${products.fits}) as model`)
      .where(joinConditions(conditions, 'fits'))
      .groupBy(model)
      .orderBy(desc(count()), model)
      .limit(MAX_MODELS),
  ]);
  return {
    kinds: kinds.sort((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind)),
    fits: fits.sort((a, b) => byName(a.model, b.model)),
  };
}

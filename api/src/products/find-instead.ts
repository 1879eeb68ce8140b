import { unitPriceFor } from '@parts-forge/contract/money/pricing';
import { fitQuantity } from '@parts-forge/contract/orders/quantity';
import {
  type Instead,
  MAX_INSTEAD,
  type PartWithInstead,
  partWithInstead,
} from '@parts-forge/contract/products/instead';
import { type SQL, sql } from 'drizzle-orm';
import { Problem } from '#src/platform/core/problem.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import { products } from './schema.ts';
import { findProductsById } from './store.ts';

const CHEAPEST_PARTS = 100;

const modelsOfKind = sql`models_of_kind(part.kind, part.fits)`;
const countShared = sql`(select count(*)::integer from unnest(part.fits) as model where model = any(given.fits))`;
const attributesOf = (part: string) => sql.raw(`jsonb_array_elements(${part}.attributes) as attribute`);
const attributeName = sql`lower(attribute ->> 'name')`;
const canOrder = sql`part.quantity >= part.minimum_order and part.quantity / part.order_step * part.order_step >= given.pieces`;

/** The best of the cheapest parts: a catalogue may have thousands for one model. */
const compareParts = (shareModels: SQL) => sql`
  select part.id, part.shared, false, part.price_cents from (
    select part.id, part.price_cents, part.attributes, ${countShared} as shared from (
      select id, fits, attributes, price_cents from ${products} as part
      where ${shareModels} and deleted_at is null and part.id <> given.id
        and part.id is distinct from named.other and ${canOrder}
      order by price_cents, id limit ${CHEAPEST_PARTS}
    ) as part
    -- Most parts fail at the models, so attributes are compared later.
    offset 0
  ) as part
  where part.shared * 2 > cardinality(given.fits) and (
    least(cardinality(given.names), jsonb_array_length(part.attributes)) = 0
    or (select count(*) from ${attributesOf('part')} where ${attributeName} = any(given.names)) * 2
      > least(cardinality(given.names), jsonb_array_length(part.attributes))
  )
  order by shared desc, price_cents, id limit ${MAX_INSTEAD}`;

interface InsteadRow extends Record<string, unknown> {
  id: string;
  other: string;
  named: boolean;
  fits: number;
  of: number;
}

/** @param wanted pieces by id */
const selectInstead = (wanted: ReadonlyMap<string, number>) => sql`
    with recursive given as materialized (
      select part.id, asked.pieces, part.fits, part.replaced_by, ${modelsOfKind} as models,
        (cardinality(part.fits) + 1) / 2 as half,
        array(select ${attributeName} from ${attributesOf('part')}) as names
      from unnest(${sql.param([...wanted.keys()])}::uuid[], ${sql.param([...wanted.values()])}::integer[])
        as asked (id, pieces)
      join ${products} as part using (id)
    ), successors as (
      select id, id as other, replaced_by, 0 as step from given
      union all
      select former.id, part.id, part.replaced_by, step + 1
      from successors as former cross join lateral (
        select id, replaced_by from ${products} where number = former.replaced_by
        order by deleted_at desc nulls first limit 1
      ) as part
    ) cycle other set is_circle using path, named as materialized (
      select distinct on (given.id) given.id, other
      from given join successors using (id) join ${products} as part on part.id = other
      where part.deleted_at is null and step > 0 and not is_circle
      order by given.id, (${canOrder}) desc, case when ${canOrder} then step else -step end
    )
    select given.id, best.id as other, best.is_named as named, best.fits, cardinality(given.fits) as of
    from given left join named using (id) cross join lateral (
      select part.id, ${countShared} as fits, true as is_named, part.price_cents from ${products} as part
      where part.id = named.other
      union all
      (${compareParts(sql`${modelsOfKind} @> given.models and half > 0`)})
      union all
      -- Only where fewer fit all models. Of the first half one is shared, and of the last, if most are.
      (${compareParts(sql`${modelsOfKind} && given.models[:half]
        and ${modelsOfKind} && given.models[cardinality(given.models) - half + 1:] and not part.fits @> given.fits`)})
      limit ${MAX_INSTEAD}
    ) as best`;

/**
 * What fits instead of parts, removed ones included. First the successor, of any stock: the nearest that has
 * the pieces, as successors may have ended, too, else the last on sale. Then parts of the kind that fit most
 * of the models and have the pieces, by models, then by price. Where both have attributes, most names must be
 * the same: an earpiece and a motor are of one kind, too.
 * @param wanted pieces by id
 * @returns at most `MAX_INSTEAD` for each part, by id
 */
export async function findInstead(
  db: Executor,
  wanted: ReadonlyMap<string, number>,
): Promise<Map<string, Instead[]>> {
  if (wanted.size === 0) return new Map();
  const { rows } = await db.execute<InsteadRow>(selectInstead(wanted));
  const parts = await findProductsById(
    db,
    rows.map(({ other }) => other),
  );
  const found = new Map<string, Instead[]>();
  for (const { id, other, named, fits, of } of rows) {
    const { product, isDeleted } = parts.get(other) ?? {};
    if (!product || isDeleted) continue;
    const quantity = fitQuantity(wanted.get(id) ?? 0, product);
    if (quantity === 0 && !named) continue;
    found.set(id, [
      ...(found.get(id) ?? []),
      { product, fits, of, quantity, ...(named && { named: true as const }) },
    ]);
  }
  for (const instead of found.values()) instead.sort(byFit);
  return found;
}

/** Of equal models the one that costs less for its pieces. */
const byFit = (a: Instead, b: Instead): number =>
  Number(b.named ?? false) - Number(a.named ?? false) ||
  b.fits - a.fits ||
  unitPriceFor(a.quantity, a.product) - unitPriceFor(b.quantity, b.product);

/**
 * @param quantity the minimum order, if absent
 * @throws Problem `not-found` for a part that never was
 */
export async function readInstead(db: Executor, id: string, quantity?: string): Promise<PartWithInstead> {
  const { product, isDeleted } = (await findProductsById(db, [id])).get(id) ?? {};
  if (!product) throw new Problem('not-found');
  const wanted = Number(quantity ?? product.minimumOrder);
  const instead = (await findInstead(db, new Map([[id, wanted]]))).get(id) ?? [];
  return partWithInstead.parse({ product, ...(isDeleted && { gone: true }), instead });
}

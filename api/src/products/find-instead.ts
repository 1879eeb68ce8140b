import { fitQuantity } from '@parts-forge/contract/orders/quantity';
import { type Instead, MAX_INSTEAD, type PartWithInstead } from '@parts-forge/contract/products/instead';
import { sql } from 'drizzle-orm';
import { Problem } from '#src/platform/core/problem.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import { products } from './schema.ts';
import { findProductsById } from './store.ts';

/** The cheapest parts that are compared: a catalogue may have thousands for one model. */
const LOOKS = 200;

const countShared = sql`(select count(*)::integer from unnest(part.fits) as model where model = any(given.fits))`;
const attributesOf = (part: string) => sql.raw(`jsonb_array_elements(${part}.attributes) as attribute`);
const attributeName = sql`lower(attribute ->> 'name')`;

/**
 * What fits instead of parts, removed ones included. First the named successor, of any stock. Then parts
 * of the kind that fit most of the models and have the pieces, by models, then by price. Where both have
 * attributes, most names must be the same: an earpiece and a motor are of one kind, too.
 * @param wanted pieces by id
 * @returns at most `MAX_INSTEAD` for each part, by id
 */
export async function findInstead(
  db: Executor,
  wanted: ReadonlyMap<string, number>,
): Promise<Map<string, Instead[]>> {
  if (wanted.size === 0) return new Map();
  const { rows } = await db.execute<{ id: string; other: string; fits: number; of: number }>(sql`
    with given as materialized (
      select part.id, asked.pieces, part.kind, part.fits, part.replaced_by,
        array(select ${attributeName} from ${attributesOf('part')}) as names
      from unnest(${sql.param([...wanted.keys()])}::uuid[], ${sql.param([...wanted.values()])}::integer[])
        as asked (id, pieces)
      join ${products} as part using (id)
    )
    select given.id, best.id as other, best.fits, cardinality(given.fits) as of
    from given cross join lateral (
      select part.id, ${countShared} as fits, true as is_named, part.price_cents from ${products} as part
      where part.number = given.replaced_by and part.deleted_at is null and part.id <> given.id
      union all
      select part.id, part.shared, false, part.price_cents from (
        select part.id, part.price_cents, part.attributes, ${countShared} as shared from (
          select id, fits, attributes, price_cents from ${products} as part
          where fits && given.fits and kind = given.kind and deleted_at is null
            and id <> given.id and number is distinct from given.replaced_by
            and quantity >= greatest(minimum_order, ceil(given.pieces::numeric / order_step) * order_step)
          order by price_cents, id limit ${LOOKS}
        ) as part
        -- Most parts fail at the models, so attributes are compared later.
        offset 0
      ) as part
      where part.shared * 2 > cardinality(given.fits) and (
        least(cardinality(given.names), jsonb_array_length(part.attributes)) = 0
        or (select count(*) from ${attributesOf('part')} where ${attributeName} = any(given.names)) * 2
          > least(cardinality(given.names), jsonb_array_length(part.attributes))
      )
      order by is_named desc, fits desc, price_cents, id limit ${MAX_INSTEAD}
    ) as best
    order by best.is_named desc, best.fits desc, best.price_cents, other`);
  const parts = await findProductsById(
    db,
    rows.map(({ other }) => other),
  );
  const found = new Map<string, Instead[]>();
  for (const { id, other, fits, of } of rows) {
    const { product, isDeleted } = parts.get(other) ?? {};
    if (!product || isDeleted) continue;
    const quantity = fitQuantity(wanted.get(id) ?? 0, product);
    found.set(id, [...(found.get(id) ?? []), { product, fits, of, quantity }]);
  }
  return found;
}

/**
 * @param quantity the minimum order, if absent
 * @throws Problem `not-found` for a part that never was
 */
export async function readInstead(db: Executor, id: string, quantity?: string): Promise<PartWithInstead> {
  const { product, isDeleted } = (await findProductsById(db, [id])).get(id) ?? {};
  if (!product) throw new Problem('not-found');
  const wanted = Number(quantity ?? product.minimumOrder);
  const instead = (await findInstead(db, new Map([[id, wanted]]))).get(id) ?? [];
  return { product, ...(isDeleted && { gone: true as const }), instead };
}

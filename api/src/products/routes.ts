import { toCents } from '@parts-forge/contract/money';
import {
  addProduct,
  deleteProduct,
  listProducts,
  type Product,
  readProduct,
  restockProduct,
} from '@parts-forge/contract/products';
import type { FastifyInstance } from 'fastify';
import { invalidField, Problem } from '#src/platform/core/problem.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import { requireOwner } from '#src/platform/http/access.ts';
import { serveCall, serveList } from '#src/platform/http/serve-call.ts';
import type { Platform } from '#src/platform/platform.ts';
import { findProduct, findProducts, insertProduct, markProductDeleted, setStock } from './store.ts';

/** What products need of others; `app.ts` joins them. */
export interface ProductRelations {
  /** Whether a customer has an order of a product that stands. */
  hasOrdered(userId: string, productId: string): Promise<boolean>;
  /** A picture's address as products store it; null when the image host did not give it out. */
  acceptImage(address: string): Promise<string | null>;
}

export function registerProducts(
  app: FastifyInstance,
  { database: { db }, changes, clock, ids }: Platform,
  { hasOrdered, acceptImage }: ProductRelations,
): void {
  serveList(app, listProducts, ({ query: { available, ...search } }) =>
    findProducts(db, { ...search, available: available === 'true' }),
  );

  serveCall(app, readProduct, async ({ params: { id } }) => ({
    data: await requireProduct(db, id),
  }));

  serveCall(app, addProduct, async ({ body: { price, ...fields } }) => {
    const image = await acceptImage(fields.image);
    if (image === null) throw invalidField('image', "Must be a picture of the shop's image host");
    const id = ids.next();
    await changes.write(async (tx, changed) => {
      await insertProduct(tx, { ...fields, image, id, priceCents: toCents(price), now: clock.now() });
      changed(`product:${id}`, 'products');
    });
    return { insertedId: id };
  });

  serveCall(app, restockProduct, async ({ actor, params: { id }, body }) => {
    if (actor.role !== 'admin') {
      // A client that follows the specification's second step of ordering: the order itself has taken the stock.
      const product = await requireProduct(db, id);
      requireOwner(restockProduct, actor, await hasOrdered(actor.userId, id));
      return { data: product };
    }
    const product = await changes.write(async (tx, changed) => {
      const restocked = await setStock(tx, id, body.quantity, clock.now());
      if (restocked) changed(`product:${id}`, 'products');
      return restocked;
    });
    if (!product) throw new Problem('not-found');
    return { data: product };
  });

  serveCall(app, deleteProduct, async ({ params: { id } }) => {
    const isDeleted = await changes.write(async (tx, changed) => {
      const wasThere = await markProductDeleted(tx, id, clock.now());
      if (wasThere) changed(`product:${id}`, 'products');
      return wasThere;
    });
    if (!isDeleted) throw new Problem('not-found');
    return { deletedCount: 1 };
  });
}

/** @throws Problem `not-found` */
async function requireProduct(db: Executor, id: string): Promise<Product> {
  const product = await findProduct(db, id);
  if (!product) throw new Problem('not-found');
  return product;
}

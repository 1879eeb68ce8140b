import type { CacheTag } from '@parts-forge/contract/calls/call';
import { readInstead as readInsteadCall } from '@parts-forge/contract/products/instead';
import { watchProducts } from '@parts-forge/contract/products/live';
import { changeProduct as changeProductCall } from '@parts-forge/contract/products/product-changes';
import {
  addProduct as addProductCall,
  deleteProduct as deleteProductCall,
  listProducts,
  type Product,
  readProduct,
  readProductFacets,
  restockProduct,
} from '@parts-forge/contract/products/products';
import { changeStock as changeStockCall } from '@parts-forge/contract/products/stock';
import type { FastifyInstance } from 'fastify';
import { Problem } from '#src/platform/core/problem.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import { requireOwner } from '#src/platform/http/calls/access.ts';
import { serveCall, serveList } from '#src/platform/http/calls/serve-call.ts';
import { serveEvents } from '#src/platform/http/events/serve-events.ts';
import type { Platform } from '#src/platform/platform.ts';
import { type AcceptImages, acceptImages } from './accept-images.ts';
import { addProduct } from './add-product.ts';
import { changeProduct } from './change-product.ts';
import { changeStock } from './change-stock.ts';
import { correctStock } from './correct-stock.ts';
import { countFacets } from './count-facets.ts';
import { deleteProduct } from './delete-product.ts';
import { readInstead } from './find-instead.ts';
import { findProducts } from './find-products.ts';
import { watchLiveProducts } from './live-products.ts';
import { createPartReader } from './read-part.ts';
import { findProduct, findProductsOnSale } from './store.ts';

/** Implemented by other modules. */
export interface ProductRelations {
  /** Only open orders count. */
  hasOrdered(userId: string, productId: string): Promise<boolean>;
  accept: AcceptImages;
}

const toTag = ({ _id }: Pick<Product, '_id'>): CacheTag => `product:${_id}`;

export function registerProducts(
  app: FastifyInstance,
  platform: Platform,
  { hasOrdered, accept }: ProductRelations,
): void {
  const { db } = platform.database;

  serveList(app, listProducts, async ({ query: { available, similar, ...search } }) => {
    const isFiltered = available === 'true' || search.stock !== undefined;
    const { isSimilar, ...page } = await findProducts(db, {
      ...search,
      available: available === 'true',
      similar: similar === 'true',
    });
    const headers: Record<string, string> = isSimilar ? { 'x-match': 'similar' } : {};
    // With a filter by stock, any stock can change the rows.
    return isFiltered
      ? { ...page, headers }
      : { ...page, headers, dependencies: ['catalogue', ...page.rows.map(toTag)] };
  });

  serveCall(app, readProductFacets, ({ query: { available, ...search } }) =>
    countFacets(db, { ...search, available: available === 'true' }),
  );

  const readPart = createPartReader(platform.database);
  serveCall(app, readProduct, async ({ params: { id } }) => {
    const product = await readPart(id);
    if (!product) throw new Problem('not-found');
    return { data: product };
  });

  serveCall(app, readInsteadCall, async ({ params: { id }, query: { quantity } }) => ({
    data: await readInstead(db, id, quantity),
  }));

  const live = watchLiveProducts({
    ...platform,
    read: (ids) => findProductsOnSale(platform.database, ids),
  });
  serveEvents(app, watchProducts, ({ products }, send) => live.watch(products, send));

  serveCall(app, addProductCall, async ({ actor, body }) => {
    const part = await acceptImages(body, accept);
    return { insertedId: await addProduct(platform, actor, part) };
  });

  serveCall(app, restockProduct, async ({ actor, params: { id }, body }) => {
    if (actor.role === 'admin') return { data: await correctStock(platform, actor, id, body.quantity) };
    // The second step of the specification's ordering; the order has already taken the stock.
    const product = await requireProduct(db, id);
    requireOwner(restockProduct, actor, await hasOrdered(actor.userId, id));
    return { data: product };
  });

  serveCall(app, changeProductCall, async ({ actor, params: { id }, body, headers }) => {
    const known = (await requireProduct(db, id)).images;
    const changes = await acceptImages(body, accept, known);
    return { data: await changeProduct(platform, actor, id, headers['if-match'] ?? '', changes) };
  });

  serveCall(app, changeStockCall, async ({ actor, params: { id }, body, headers }) => ({
    data: await changeStock(platform, actor, id, body, headers['idempotency-key'] ?? ''),
  }));

  serveCall(app, deleteProductCall, async ({ actor, params: { id } }) => {
    await deleteProduct(platform, actor, id);
    return { deletedCount: 1 };
  });
}

async function requireProduct(db: Executor, id: string): Promise<Product> {
  const product = await findProduct(db, id);
  if (!product) throw new Problem('not-found');
  return product;
}

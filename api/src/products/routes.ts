import type { CacheTag } from '@parts-forge/contract/call';
import { watchProducts } from '@parts-forge/contract/live';
import {
  addProduct as addProductCall,
  deleteProduct as deleteProductCall,
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
import { serveEvents } from '#src/platform/http/serve-events.ts';
import type { Platform } from '#src/platform/platform.ts';
import { addProduct } from './add-product.ts';
import { correctStock } from './correct-stock.ts';
import { deleteProduct } from './delete-product.ts';
import { watchLiveProducts } from './live-products.ts';
import { findLiveProducts, findProduct, findProducts } from './store.ts';

/** What products need of others; `app.ts` joins them. */
export interface ProductRelations {
  /** Whether a customer has an order of a product that stands. */
  hasOrdered(userId: string, productId: string): Promise<boolean>;
  /** A picture's address as products store it; null when the image host did not give it out. */
  acceptImage(address: string): Promise<string | null>;
}

const toTag = ({ _id }: Pick<Product, '_id'>): CacheTag => `product:${_id}`;

export function registerProducts(
  app: FastifyInstance,
  platform: Platform,
  { hasOrdered, acceptImage }: ProductRelations,
): void {
  const { db } = platform.database;
  const { publicReads } = platform;

  serveList(app, listProducts, async ({ query: { available, ...search }, dependencies }) => {
    const isFiltered = available === 'true';
    const page = await publicReads.run(dependencies, (reader) =>
      findProducts(reader, { ...search, available: isFiltered }),
    );
    // Where stocks decide which rows there are, each of them counts; else those that are shown.
    return isFiltered ? page : { ...page, dependencies: ['catalogue', ...page.rows.map(toTag)] };
  });

  serveCall(app, readProduct, async ({ params: { id }, dependencies }) => ({
    data: await publicReads.run(dependencies, (reader) => requireProduct(reader, id)),
  }));

  const live = watchLiveProducts({
    ...platform,
    read: (ids, tags) => publicReads.run(tags, (reader) => findLiveProducts(reader, ids)),
  });
  serveEvents(app, watchProducts, ({ products }, send) => live.watch(products, send));

  serveCall(app, addProductCall, async ({ body }) => {
    const image = await acceptImage(body.image);
    if (image === null) throw invalidField('image', "Must be a picture of the shop's image host");
    return { insertedId: await addProduct(platform, { ...body, image }) };
  });

  serveCall(app, restockProduct, async ({ actor, params: { id }, body }) => {
    if (actor.role === 'admin') return { data: await correctStock(platform, id, body.quantity) };
    // A client that follows the specification's second step of ordering: the order itself has taken the stock.
    const product = await requireProduct(db, id);
    requireOwner(restockProduct, actor, await hasOrdered(actor.userId, id));
    return { data: product };
  });

  serveCall(app, deleteProductCall, async ({ params: { id } }) => {
    await deleteProduct(platform, id);
    return { deletedCount: 1 };
  });
}

/** @throws Problem `not-found` */
async function requireProduct(db: Executor, id: string): Promise<Product> {
  const product = await findProduct(db, id);
  if (!product) throw new Problem('not-found');
  return product;
}

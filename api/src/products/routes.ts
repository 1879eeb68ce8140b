import { centsOf } from '@parts-forge/contract/money';
import { PAGE_LIMIT } from '@parts-forge/contract/paging';
import {
  addProduct,
  deleteProduct,
  listProducts,
  type ProductQuery,
  readProduct,
  restockProduct,
} from '@parts-forge/contract/products';
import { cleaned } from '@parts-forge/contract/text';
import type { FastifyInstance } from 'fastify';
import { pageHeaders } from '#src/platform/http/paging.ts';
import { invalidField, Problem } from '#src/platform/http/problem.ts';
import { keptAnswers } from '#src/platform/http/response-cache.ts';
import { serveCall } from '#src/platform/http/serve-call.ts';
import type { Services } from '#src/services.ts';
import {
  findProduct,
  findProducts,
  hasOrdered,
  insertProduct,
  markProductDeleted,
  setStock,
  toProduct,
} from './store.ts';

export function registerProducts(
  app: FastifyInstance,
  { database, changes, clock, ids, images }: Services,
): void {
  const { db } = database;
  const kept = keptAnswers(changes, 'products');

  serveCall(app, listProducts, ({ query, request, reply }) => {
    const address = listAddress(query);
    return kept.send(request, reply, address, async () => {
      const page = await findProducts(db, {
        limit: query.limit ?? PAGE_LIMIT,
        after: query.after,
        q: searchText(query),
        available: query.available === 'true',
        sort: query.sort ?? 'newest',
      });
      return { body: JSON.stringify(page.rows.map(toProduct)), headers: pageHeaders(address, page) };
    });
  });

  serveCall(app, readProduct, ({ params: { id = '' }, request, reply }) =>
    kept.send(request, reply, id, async () => {
      const product = await findProduct(db, id);
      if (!product) throw new Problem('not-found');
      return { body: JSON.stringify({ data: toProduct(product) }) };
    }),
  );

  serveCall(app, addProduct, async ({ body }) => {
    const image = await images.accepted(body.image);
    if (image === null) throw invalidField('image', "Must be a picture of the shop's image host");
    const { price, ...fields } = body;
    const id = ids.next();
    await changes.write(async (tx, changed) => {
      await insertProduct(tx, { ...fields, image, id, priceCents: centsOf(price), now: clock.now() });
      changed('products');
    });
    return { insertedId: id };
  });

  serveCall(app, restockProduct, async ({ actor, params: { id = '' }, body }) => {
    if (actor.role !== 'admin') {
      const product = await findProduct(db, id);
      if (!product) throw new Problem('not-found');
      if (!(await hasOrdered(db, actor.userId, id))) throw new Problem('not-yours');
      return { data: toProduct(product) };
    }
    const product = await changes.write(async (tx, changed) => {
      changed('products');
      return setStock(tx, id, body.quantity, clock.now());
    });
    if (!product) throw new Problem('not-found');
    return { data: toProduct(product) };
  });

  serveCall(app, deleteProduct, async ({ params: { id = '' } }) => {
    const deleted = await changes.write(async (tx, changed) => {
      changed('products');
      return markProductDeleted(tx, id, clock.now());
    });
    if (!deleted) throw new Problem('not-found');
    return { deletedCount: 1 };
  });
}

const searchText = ({ q = '' }: ProductQuery) => cleaned(q, false) || undefined;

/** The list's address with its parameters in one order, so that equal lists are kept once. */
function listAddress(query: ProductQuery): string {
  const parameters = new URLSearchParams();
  const q = searchText(query);
  if (q) parameters.set('q', q);
  if (query.available === 'true') parameters.set('available', 'true');
  if (query.sort && query.sort !== 'newest') parameters.set('sort', query.sort);
  if (query.limit) parameters.set('limit', String(query.limit));
  if (query.after) parameters.set('after', query.after);
  return parameters.size > 0 ? `${listProducts.path}?${parameters}` : listProducts.path;
}

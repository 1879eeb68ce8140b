import * as z from 'zod/mini';
import { MAX_LIVE_PRODUCTS } from './bounds.ts';
import { defineCall } from './call.ts';
import { policies } from './policies.ts';
import { productSchema } from './products.ts';

const liveProductSchema = z.pick(productSchema, {
  _id: true,
  quantity: true,
  price: true,
  priceBreaks: true,
});
/** Stock in pieces, prices in dollars. */
export type LiveProduct = z.infer<typeof liveProductSchema>;

const goneSchema = z.object({ _id: z.string() });

/** `?products=id,id`, without duplicates, in order. */
const productIdsField = z
  .pipe(
    z.string('products is Required'),
    z.pipe(
      z.transform((list: string) => [...new Set(list.split(',').map((id) => id.trim().toLowerCase()))]),
      z
        .array(z.string().check(z.minLength(1, 'products is Required')))
        .check(z.maxLength(MAX_LIVE_PRODUCTS, `Must be no more than ${MAX_LIVE_PRODUCTS} ids`)),
    ),
  )
  .register(z.globalRegistry, {
    description: `Ids of parts, separated by commas, at most ${MAX_LIVE_PRODUCTS}`,
  });

export const watchProducts = defineCall({
  method: 'GET',
  path: '/live',
  tag: 'Products',
  policy: policies.watchProducts,
  summary: 'Stock and prices of some products as they change',
  description:
    'Server-sent events: `product` with the present state of each first, then with each change, at most one a second for one product; `gone` for one that is unknown or was deleted. A comment comes every 25 seconds. The stream ends when the shop closes; browsers come back by themselves. The streams of one address are bounded in number, and in how often they are opened (429); the limit on its other requests does not count them.',
  query: z.object({ products: productIdsField }),
  answer: z.string(),
  // Windows open one on each page and each time they become visible.
  rateLimit: { requests: 600, seconds: 60 },
  events: { product: liveProductSchema, gone: goneSchema },
});

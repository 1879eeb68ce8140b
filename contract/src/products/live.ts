import * as z from 'zod/mini';
import { MAX_LIVE_PRODUCTS } from '../calls/bounds.ts';
import { defineCall } from '../calls/call.ts';
import { policies } from '../calls/policies.ts';
import { idsField } from '../text/text.ts';
import { productSchema } from './products.ts';

const liveProductSchema = z.pick(productSchema, {
  _id: true,
  quantity: true,
  price: true,
  priceBreaks: true,
});
export type LiveProduct = z.infer<typeof liveProductSchema>;

const goneSchema = z.object({ _id: z.string() });

export const watchProducts = defineCall({
  method: 'GET',
  path: '/live',
  tag: 'Products',
  policy: policies.watchProducts,
  summary: 'Stock and prices of some products as they change',
  description:
    'Server-sent events. `product`: first the present state, then each change, at most one a second for a part; `gone`: unknown or deleted. A comment comes every 25 seconds. An address has at most `MAX_STREAMS_PER_ADDRESS` open streams (429), all together four fifths of `MAX_CONNECTIONS` (503); other limits do not count them. A client that stops reading is cut off. The stream ends when the shop closes; browsers reconnect.',
  query: z.object({ products: idsField(MAX_LIVE_PRODUCTS) }),
  answer: z.string(),
  // Windows open one on each page and each time they become visible.
  rateLimit: { requests: 600, seconds: 60 },
  events: { product: liveProductSchema, gone: goneSchema },
});

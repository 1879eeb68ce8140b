import * as z from 'zod/mini';
import { defineCall } from '../calls/call.ts';
import { policies } from '../calls/policies.ts';
import { productSchema } from './products.ts';

/** What the list leaves out; a new field of parts is in it. */
const listedPart = z.omit(productSchema, {
  description: true,
  attributes: true,
  quantity: true,
  image: true,
  images: true,
  version: true,
  createdAt: true,
  updatedAt: true,
});
const { price } = listedPart.shape;
const netPrice = z.optional(
  z
    .number()
    .check(
      z.describe(
        'Without tax, with up to ten decimals: the pieces of a line times it, rounded to cents, are its net; absent where the shop has no tax rate',
      ),
    ),
);

export const priceListSchema = z.object({
  currency: z.string().check(z.describe('ISO 4217')),
  taxPercent: z.optional(z.number().check(z.describe('In every `price`'))),
  parts: z.array(
    z.extend(listedPart, {
      netPrice,
      priceBreaks: z.array(z.object({ quantity: z.int(), price, netPrice })),
    }),
  ),
});
export type PriceList = z.infer<typeof priceListSchema>;

export const readPriceList = defineCall({
  method: 'GET',
  path: '/price-list.json',
  tag: 'Products',
  policy: policies.readPriceList,
  summary: 'All parts with prices and promises',
  description:
    'By name, without stock, so that it changes with the catalogue alone: ask with `If-None-Match`. `_id` orders the part (`POST /order`). `/price-list.csv` has the same as a table.',
  answer: priceListSchema,
  dependsOn: () => ['catalogue'],
});

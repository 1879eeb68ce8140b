import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { toAmount } from '@parts-forge/contract/money/money';
import { KINDS } from '@parts-forge/contract/products/part-rules';
import * as z from 'zod/mini';

const assets = fileURLToPath(new URL('../../assets/', import.meta.url));
export const picturesFolder = path.join(assets, 'products');

/** Of the file, in dollars; yen are as many as cents, since breaks of two dollars are equal in whole units. */
const price = z.pipe(
  z.number(),
  z.transform((dollars) => toAmount(Math.round(dollars * 100))),
);

const catalogueSchema = z.array(
  z.object({
    slug: z.string(),
    name: z.string(),
    description: z.string(),
    price,
    quantity: z.int(),
    minimumOrder: z.int(),
    number: z.string(),
    kind: z.enum(KINDS),
    priceBreaks: z.array(z.object({ quantity: z.int(), price })),
    fits: z.array(z.string()),
    attributes: z.array(z.object({ name: z.string(), value: z.string() })),
  }),
);
export type CataloguePart = z.output<typeof catalogueSchema>[number];

const reviewsSchema = z.array(z.object({ name: z.string(), rating: z.number(), description: z.string() }));

/** Days before the shop's first start; null for what has not happened. */
const moment = z.prefault(z.nullable(z.number()), null);

const historySchema = z.object({
  customers: z.array(
    z.object({
      name: z.string(),
      email: z.string(),
      address: z.string(),
      phone: z.string(),
      location: z.string(),
      education: z.string(),
    }),
  ),
  /** Oldest first; those of one customer and moment are a batch. */
  orders: z.array(
    z.object({
      /** The customer's email address. */
      customer: z.string(),
      /** The slug of the part. */
      part: z.string(),
      quantity: z.int(),
      reference: z.prefault(z.nullable(z.string()), null),
      placed: z.number(),
      paid: moment,
      accepted: moment,
      disputed: moment,
      /** In full, by the administrator. */
      refunded: moment,
      /** A tenth, at the provider. */
      partlyRefunded: moment,
      cancelled: moment,
      expired: moment,
    }),
  ),
  stockMoves: z.array(z.object({ part: z.string(), add: z.int(), daysAgo: z.number() })),
});
/** Sixty days of sales. */
export type History = z.output<typeof historySchema>;
export type HistoryOrder = History['orders'][number];

export const readCatalogue = async () => catalogueSchema.parse(await readJson('catalogue.json'));
export const readReviews = async () => reviewsSchema.parse(await readJson('reviews.json'));
export const readHistory = async () => historySchema.parse(await readJson('history.json'));

const readJson = async (file: string): Promise<unknown> =>
  JSON.parse(await readFile(path.join(assets, file), 'utf8'));

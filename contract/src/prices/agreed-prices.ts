import * as z from 'zod/mini';
import { MAX_PRICED_PARTS, MAX_STOCK } from '../calls/bounds.ts';
import { defineCall } from '../calls/call.ts';
import { pagingFields, searchField } from '../calls/paging.ts';
import { policies } from '../calls/policies.ts';
import { atLeast, atMost, priceField, wholeNumber } from '../products/product-fields.ts';
import { productSchema } from '../products/products.ts';
import { isDay } from '../text/days.ts';
import { emailField, idField, idParam, idsField, instant } from '../text/text.ts';

export const partIdField = idField('Must be the id of a part', 'productId is Required');

const notADay = 'Must be a day, such as 2026-11-21';
export const endField = z
  .string(notADay)
  .check(z.refine(isDay, notADay), z.describe('The last day, in the time zone of the shop'))
  .register(z.globalRegistry, { format: 'date' });

export const fromQuantityField = wholeNumber('Quantity is Required').check(
  atLeast(1),
  atMost(MAX_STOCK),
  z.describe('From so many pieces of one order'),
);

/** What pages show of a part beside a price. */
export const pricedPartSchema = z.extend(
  z.pick(productSchema, {
    _id: true,
    name: true,
    number: true,
    price: true,
    priceBreaks: true,
    minimumOrder: true,
    orderStep: true,
  }),
  { gone: z.optional(z.literal(true).check(z.describe('No longer sold'))) },
);

export type PricedPart = z.infer<typeof pricedPartSchema>;

export const ownPriceSchema = z.object({
  fromQuantity: z.int(),
  price: z.number().check(z.describe("Of one piece, with the tax that the list's price contains")),
  netPrice: z.optional(z.number().check(z.describe('`price` without its tax, for a customer who pays none'))),
  until: z.optional(
    z.string().check(z.describe('The last day, in the time zone of the shop; absent: no end')),
  ),
});
export type OwnPrice = z.infer<typeof ownPriceSchema>;

export const readOwnPrices = defineCall({
  method: 'GET',
  path: '/price',
  tag: 'Orders',
  policy: policies.readOwnPrices,
  summary: "The caller's own prices of parts",
  description:
    "The agreed prices of the caller that have not ended, the lowest quantity first; parts without one are left out. An order costs the lowest of the list's price for its quantity and the own prices that its quantity reaches.",
  query: z.object({
    products: idsField(MAX_PRICED_PARTS, idField('Must be ids of parts')),
  }),
  answer: z.object({
    data: z.array(z.object({ productId: z.string(), ownPrices: z.array(ownPriceSchema) })),
  }),
});

export const agreedPriceSchema = z.extend(ownPriceSchema, {
  _id: z.string(),
  customer: z.object({ _id: z.string(), name: z.string(), email: z.string() }),
  product: pricedPartSchema,
  quote: z.optional(
    z.object({ _id: z.string(), number: z.int() }).check(z.describe('The quote that it belongs to')),
  ),
  createdAt: instant,
});
export type AgreedPrice = z.infer<typeof agreedPriceSchema>;

const agreedPriceQuery = z.object({
  ...pagingFields,
  customer: z.optional(idField('Must be the id of a user')),
  product: z.optional(idField('Must be the id of a part')),
  ending: z.optional(z.literal('true', 'Must be true')),
  q: searchField,
});
export type AgreedPriceQuery = z.output<typeof agreedPriceQuery>;

export const listAgreedPrices = defineCall({
  method: 'GET',
  path: '/agreed-price',
  tag: 'Orders',
  policy: policies.listAgreedPrices,
  summary: 'List agreed prices',
  description:
    "Newest first, without those that have ended. Customers see their own, administrators everybody's. `ending=true`: those that end within three days. `q`: words of the customer's name and email, or of the part's name and number.",
  query: agreedPriceQuery,
  answer: z.object({ data: z.array(agreedPriceSchema) }),
  paged: 'data',
  problems: ['second-factor-required'],
});

export const newAgreedPriceSchema = z.object({
  customer: emailField,
  productId: partIdField,
  fromQuantity: fromQuantityField,
  price: priceField,
  until: z.optional(endField),
});

export const setAgreedPrice = defineCall({
  method: 'PUT',
  path: '/agreed-price',
  tag: 'Orders',
  policy: policies.setAgreedPrice,
  summary: 'Agree on a price with a customer',
  description:
    "Replaces the price of the same customer, part and quantity; those of quotes stay beside it, and the lowest counts. Without `until` it has no end. A price above the list's is kept, and orders take the list's.",
  body: newAgreedPriceSchema,
  answer: z.object({ data: agreedPriceSchema }),
});

export const removeAgreedPrice = defineCall({
  method: 'DELETE',
  path: '/agreed-price/:id',
  tag: 'Orders',
  policy: policies.removeAgreedPrice,
  summary: 'End an agreed price now',
  params: z.object({ id: idParam }),
  answer: z.object({ deletedCount: z.int() }),
});

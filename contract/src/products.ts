import * as z from 'zod/mini';
import { MAX_MODEL, MAX_STOCK, MIN_NEW_STOCK, MIN_STOCK } from './bounds.ts';
import { defineCall } from './call.ts';
import { messages } from './messages.ts';
import { pagingFields, searchField } from './paging.ts';
import { KINDS, SORTS } from './part-rules.ts';
import { policies } from './policies.ts';
import {
  atLeast,
  atMost,
  optionalFields,
  partChecks,
  requiredFields,
  wholeNumber,
} from './product-fields.ts';
import { idParam, instant, text } from './text.ts';

export const productSchema = z.object({
  _id: z.string(),
  name: z.string(),
  description: z.string(),
  price: z.number(),
  quantity: z.int(),
  minimumOrder: z.int(),
  image: z.string(),
  number: z.string(),
  kind: z.enum(KINDS),
  fits: z.array(z.string()),
  attributes: z.array(z.object({ name: z.string(), value: z.string() })),
  images: z.array(z.string()),
  orderStep: z.int(),
  priceBreaks: z.array(z.object({ quantity: z.int(), price: z.number() })),
  version: z.int(),
  createdAt: instant,
  updatedAt: instant,
});
/**
 * `price` is in dollars; `quantity` (stock), `minimumOrder` and `orderStep` in pieces. `fits`: phone models;
 * `image` is the first of `images`. `priceBreaks` rise in quantity. Edits raise `version`, changes of stock
 * do not.
 */
export type Product = z.infer<typeof productSchema>;

const { name, description, price, minimumOrder, image } = requiredFields;

/** Messages are the specification's (§5), bounds the contract's. */
export const newProductSchema = z
  .object({
    name,
    description,
    price,
    quantity: wholeNumber(messages.stockRequired).check(atLeast(MIN_NEW_STOCK), atMost(MAX_STOCK)),
    minimumOrder,
    image,
    ...z.partial(z.object(optionalFields)).shape,
  })
  .check(partChecks, ({ value, issues }) => {
    if (value.minimumOrder > value.quantity) {
      issues.push({
        code: 'custom',
        input: value,
        path: ['minimumOrder'],
        message: 'Must not be above the quantity',
      });
    }
  });
export type NewProduct = z.infer<typeof newProductSchema>;

export const restockSchema = z.object({
  quantity: wholeNumber(messages.stockRequired).check(atLeast(MIN_STOCK), atMost(MAX_STOCK)),
});

const trueOrFalse = z.optional(z.enum(['true', 'false'], 'Must be true or false'));

/** Shared by the list and its facets. */
const filterFields = {
  q: searchField,
  available: trueOrFalse,
  kind: z.optional(z.enum(KINDS, `Must be one of ${KINDS.join(', ')}`)),
  fits: z.optional(text({ max: MAX_MODEL })),
};

export const productQuerySchema = z.object({
  ...pagingFields,
  ...filterFields,
  sort: z.optional(z.enum(SORTS, `Must be one of ${SORTS.join(', ')}`)),
  similar: trueOrFalse,
});

export const listProducts = defineCall({
  method: 'GET',
  path: '/product',
  tag: 'Products',
  policy: policies.listProducts,
  summary: 'List products',
  description:
    'Newest first, or the best match first where `q` has words and `sort` is absent. `limit=3` gives the featured three. Every word of `q` is found in name, number, description, kind (also by its other names) or phone models, without regard to case, accents, marks inside words and numbers, and the space before a unit; words that together are the name of a phone model, with or without its spaces, are found together; usual other words count as the word itself. `fits` is a phone model as the part has it; `available=true` leaves out what has less stock than its minimum order. With `similar=true` a search that finds nothing is answered with the parts whose number differs by one character, else with those that have all words but one, else with those of the most similar names or phone models, and `X-Match: similar`.',
  query: productQuerySchema,
  answer: z.array(productSchema),
  paged: 'rows',
  dependsOn: () => ['products'],
});

export const productFacetsSchema = z.object({
  kinds: z.array(z.object({ kind: z.enum(KINDS), count: z.int() })),
  fits: z.array(z.object({ model: z.string(), count: z.int() })),
});
/** Parts of each kind, in the kinds' order, and each phone model, by name; without empty ones. */
export type ProductFacets = z.infer<typeof productFacetsSchema>;

export const readProductFacets = defineCall({
  method: 'GET',
  path: '/product/facets',
  tag: 'Products',
  policy: policies.readProductFacets,
  summary: 'Count products by kind and phone model',
  description:
    "Takes the filters of the list. Kinds are counted under all filters but `kind`, models under all but `fits`; what has no part is left out. The list's total is the count under all of them.",
  query: z.object(filterFields),
  answer: productFacetsSchema,
  // Only availability depends on stock.
  dependsOn: (_params, { available }) => [available === 'true' ? 'products' : 'catalogue'],
});

export const readProduct = defineCall({
  method: 'GET',
  path: '/product/:id',
  tag: 'Products',
  policy: policies.readProduct,
  summary: 'Read one product',
  params: z.object({ id: idParam }),
  answer: z.object({ data: productSchema }),
  dependsOn: ({ id }) => [`product:${id}`],
  problems: ['not-found'],
});

export const addProduct = defineCall({
  method: 'POST',
  path: '/product',
  tag: 'Products',
  policy: policies.addProduct,
  summary: 'Add a product',
  description:
    'The pictures are ones that the configured image host gave out. Without a `number` the part gets the next free one of the shop.',
  body: newProductSchema,
  answer: z.object({ insertedId: z.string() }),
  problems: ['number-taken'],
});

export const restockProduct = defineCall({
  method: 'PUT',
  path: '/product/:id',
  tag: 'Products',
  policy: policies.restockProduct,
  summary: 'Set the stock of a product',
  description:
    "Only an administrator's number is applied. A customer who has ordered the product is answered with it as it is, and nothing changes; other customers are refused.",
  params: z.object({ id: idParam }),
  body: restockSchema,
  answer: z.object({ data: productSchema }),
  problems: ['not-found', 'not-yours'],
});

export const deleteProduct = defineCall({
  method: 'DELETE',
  path: '/product/:id',
  tag: 'Products',
  policy: policies.deleteProduct,
  summary: 'Delete a product',
  description:
    'Orders of it keep their copy of name and image and can still be paid, cancelled and accepted.',
  params: z.object({ id: idParam }),
  answer: z.object({ deletedCount: z.int() }),
  problems: ['not-found'],
});

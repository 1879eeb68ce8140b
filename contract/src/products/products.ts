import * as z from 'zod/mini';
import { MAX_MODEL, MAX_PART_NUMBER, MAX_STOCK, MIN_NEW_STOCK, MIN_STOCK } from '../calls/bounds.ts';
import { defineCall } from '../calls/call.ts';
import { messages } from '../calls/messages.ts';
import { pagingFields, searchField } from '../calls/paging.ts';
import { policies } from '../calls/policies.ts';
import { idParam, instant, text } from '../text/text.ts';
import { KINDS, SORTS } from './part-rules.ts';
import {
  answerFields,
  atLeast,
  atMost,
  optionalFields,
  partChecks,
  requiredFields,
  wholeNumber,
} from './product-fields.ts';

export const productSchema = z.object({
  _id: z.string(),
  ...answerFields,
  quantity: z.int().check(z.describe('Pieces in stock')),
  image: z.string(),
  version: z.int().check(z.describe('Rises with each edit, not with stock')),
  createdAt: instant,
  updatedAt: instant,
});
/** Edits raise `version`, changes of stock do not. */
export type Product = z.infer<typeof productSchema>;

const { name, description, price, minimumOrder, image } = requiredFields;

/** Messages are the specification's (§5), bounds the contract's. */
export const newProductSchema = z
  .object({
    name,
    description,
    price,
    quantity: wholeNumber(messages.stockRequired).check(atLeast(MIN_NEW_STOCK), atMost(MAX_STOCK)),
    minimumOrder: minimumOrder.check(z.describe('Not above `quantity`')),
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

/** Fewer minimum orders left than `LOW_STOCK_MINIMUM_ORDERS`; less than one. */
export const STOCKS = ['low', 'out'] as const;

export const productQuerySchema = z.object({
  ...pagingFields,
  ...filterFields,
  stock: z.optional(z.enum(STOCKS, `Must be one of ${STOCKS.join(', ')}`)),
  number: z.optional(text({ min: 1, max: MAX_PART_NUMBER }).check(z.toUpperCase(), z.describe('Exactly'))),
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
    'Newest first, or best match first when `q` has words and `sort` is absent. `limit=3` gives the featured three. `number` is a whole part number, `fits` a phone model as the part has it. `available=true` keeps parts with their minimum order in stock, `stock=low` those that the overview calls low, `stock=out` those that cannot be ordered. `sort=name` ignores case, puts accented letters beside plain ones and numbers by value. With `similar=true` a search without matches answers near matches, with `X-Match: similar`.',
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
    "Takes the list's filters. Kinds are counted under all filters but `kind`, models under all but `fits`. Empty ones are absent; of more than a thousand models those with the most parts stay.",
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
    '`image` and `images` are paths or URLs of the configured image host, or paths behind a trusted origin. Defaults: the next free `PF-nnnnn` as `number`, `kind` Other, `images` `[image]`, `orderStep` 1, empty lists.',
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
    "Only an administrator's number is applied. Orders take stock by themselves: a customer who ordered the part gets it as it is, and nothing changes.",
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
  description: 'Its orders keep name and image and can still be paid, cancelled and accepted.',
  params: z.object({ id: idParam }),
  answer: z.object({ deletedCount: z.int() }),
  problems: ['not-found'],
});

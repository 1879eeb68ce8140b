import * as z from 'zod/mini';
import {
  MAX_DESCRIPTION,
  MAX_IMAGE_ADDRESS,
  MAX_MINIMUM_ORDER,
  MAX_NAME,
  MAX_PRICE,
  MAX_STOCK,
  MIN_MINIMUM_ORDER,
  MIN_NEW_STOCK,
  MIN_PRICE,
  MIN_STOCK,
} from './bounds.ts';
import { defineCall } from './call.ts';
import { messages } from './messages.ts';
import { formatPieces, hasWholeCents } from './money.ts';
import { pagingFields, searchField } from './paging.ts';
import { KINDS, SORTS } from './part-rules.ts';
import { policies } from './policies.ts';
import { idParam, instant, text, tooLong } from './text.ts';

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
 * A part as the wire shows it: `price` in dollars, `quantity` (stock), `minimumOrder` and `orderStep` in pieces.
 * `number` is the part number, `fits` the phone models, `images` all pictures with `image` as the first; `priceBreaks`
 * rise in quantity, `version` rises with each edit, and not with the stock.
 */
export type Product = z.infer<typeof productSchema>;

const atLeast = (bound: number) => z.gte(bound, `Must be at least ${bound}`);
const atMost = (bound: number) => z.lte(bound, `Must be no more than ${formatPieces(bound)}`);

const priceField = z
  .number(messages.priceRequired)
  .check(
    atLeast(MIN_PRICE),
    atMost(MAX_PRICE),
    z.refine(hasWholeCents, 'Must have no more than two decimals'),
  );

/** A whole number; a fraction is told apart from nothing at all. */
const whole = (required: string) =>
  z.int({
    error: ({ input }) =>
      typeof input === 'number' && !Number.isNaN(input) ? 'Must be a whole number' : required,
  });

const stockField = whole(messages.stockRequired).check(atLeast(MIN_STOCK), atMost(MAX_STOCK));

/** A new product's fields with the specification's messages (§5) and the contract's bounds. */
export const newProductSchema = z
  .object({
    name: text({ min: 1, max: MAX_NAME, required: messages.nameRequired }),
    description: text({ min: 1, max: MAX_DESCRIPTION, required: messages.descriptionRequired, lines: true }),
    price: priceField,
    quantity: whole(messages.stockRequired).check(atLeast(MIN_NEW_STOCK), atMost(MAX_STOCK)),
    minimumOrder: whole(messages.minimumOrderRequired).check(
      atLeast(MIN_MINIMUM_ORDER),
      atMost(MAX_MINIMUM_ORDER),
    ),
    image: z
      .string(messages.imageRequired)
      .check(
        z.minLength(1, messages.imageRequired),
        z.maxLength(MAX_IMAGE_ADDRESS, tooLong(MAX_IMAGE_ADDRESS)),
      ),
  })
  .check(
    z.refine((product) => product.minimumOrder <= product.quantity, {
      path: ['minimumOrder'],
      error: 'Must not be above the quantity',
    }),
  );
export type NewProduct = z.infer<typeof newProductSchema>;

export const restockSchema = z.object({ quantity: stockField });

export const productQuerySchema = z.object({
  ...pagingFields,
  q: searchField,
  available: z.optional(z.enum(['true', 'false'], 'Must be true or false')),
  sort: z.optional(z.enum(SORTS, `Must be one of ${SORTS.join(', ')}`)),
});

export const listProducts = defineCall({
  method: 'GET',
  path: '/product',
  tag: 'Products',
  policy: policies.listProducts,
  summary: 'List products',
  description:
    'Newest first. `limit=3` gives the featured three. `q` matches anywhere in the name, every character literally; `available=true` leaves out what has less stock than its minimum order.',
  query: productQuerySchema,
  answer: z.array(productSchema),
  paged: 'rows',
  dependsOn: () => ['products'],
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
  description: 'The image is one that the configured image host gave out.',
  body: newProductSchema,
  answer: z.object({ insertedId: z.string() }),
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

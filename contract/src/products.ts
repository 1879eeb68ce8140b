import * as z from 'zod/mini';
import { defineCall } from './call.ts';
import { messages } from './messages.ts';
import { hasWholeCents } from './money.ts';
import { pagingFields, searchField } from './paging.ts';
import { SORTS } from './part-rules.ts';
import { instant, text } from './text.ts';

/** Least price, stock and minimum order of a new product (specification §9). */
export const MIN_PRICE = 1;
export const MIN_NEW_STOCK = 1000;
export const MIN_MINIMUM_ORDER = 50;
export const MAX_PRICE = 100_000;
export const MAX_STOCK = 100_000_000;
export const MAX_MINIMUM_ORDER = 1_000_000;

export const productSchema = z.object({
  _id: z.string(),
  name: z.string(),
  description: z.string(),
  price: z.number(),
  quantity: z.int(),
  minimumOrder: z.int(),
  image: z.string(),
  createdAt: instant,
  updatedAt: instant,
});
/** A part as the wire shows it: `price` in dollars, `quantity` (stock) and `minimumOrder` in pieces. */
export type Product = z.infer<typeof productSchema>;

const priceField = z
  .number(messages.priceRequired)
  .check(
    z.gte(MIN_PRICE, `Must be at least ${MIN_PRICE}`),
    z.lte(MAX_PRICE, 'Must be no more than 100,000'),
    z.refine(hasWholeCents, 'Must have no more than two decimals'),
  );

/** A whole number; a fraction is told apart from nothing at all. */
const whole = (required: string) =>
  z.int({
    error: ({ input }) =>
      typeof input === 'number' && !Number.isNaN(input) ? 'Must be a whole number' : required,
  });

const stockField = whole(messages.stockRequired).check(
  z.gte(0, 'Must be at least 0'),
  z.lte(MAX_STOCK, 'Must be no more than 100,000,000'),
);

/** A new product's fields with the specification's messages (§5) and the contract's bounds. */
export const newProductSchema = z
  .object({
    name: text({ min: 1, max: 120, required: messages.nameRequired }),
    description: text({ min: 1, max: 2000, required: messages.descriptionRequired, lines: true }),
    price: priceField,
    quantity: whole(messages.stockRequired).check(
      z.gte(MIN_NEW_STOCK, `Must be at least ${MIN_NEW_STOCK}`),
      z.lte(MAX_STOCK, 'Must be no more than 100,000,000'),
    ),
    minimumOrder: whole(messages.minimumOrderRequired).check(
      z.gte(MIN_MINIMUM_ORDER, `Must be at least ${MIN_MINIMUM_ORDER}`),
      z.lte(MAX_MINIMUM_ORDER, 'Must be no more than 1,000,000'),
    ),
    image: z
      .string(messages.imageRequired)
      .check(
        z.minLength(1, messages.imageRequired),
        z.maxLength(2048, 'Must be no more than 2048 characters'),
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
export type ProductQuery = z.infer<typeof productQuerySchema>;

export const listProducts = defineCall({
  method: 'GET',
  path: '/product',
  caller: 'everyone',
  summary: 'List products',
  description:
    'Newest first. `limit=3` gives the featured three. `q` matches anywhere in the name, every character literally; `available=true` leaves out what has less stock than its minimum order.',
  query: productQuerySchema,
  answer: z.array(productSchema),
});

export const readProduct = defineCall({
  method: 'GET',
  path: '/product/:id',
  caller: 'everyone',
  summary: 'Read one product',
  answer: z.object({ data: productSchema }),
  problems: ['not-found'],
});

export const addProduct = defineCall({
  method: 'POST',
  path: '/product',
  caller: 'admin',
  summary: 'Add a product',
  description: 'The image is one that the configured image host gave out.',
  body: newProductSchema,
  answer: z.object({ insertedId: z.string() }),
});

export const restockProduct = defineCall({
  method: 'PUT',
  path: '/product/:id',
  caller: 'signed-in',
  summary: 'Set the stock of a product',
  description:
    "Only an administrator's number is applied. A customer who has ordered the product is answered with it as it is, and nothing changes; other customers are refused.",
  body: restockSchema,
  answer: z.object({ data: productSchema }),
  problems: ['not-found', 'not-yours'],
});

export const deleteProduct = defineCall({
  method: 'DELETE',
  path: '/product/:id',
  caller: 'admin',
  summary: 'Delete a product',
  description:
    'Orders of it keep their copy of name and image and can still be paid, cancelled and accepted.',
  answer: z.object({ deletedCount: z.int() }),
  problems: ['not-found'],
});

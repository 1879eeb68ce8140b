import * as z from 'zod/mini';
import { defineCall } from '../calls/call.ts';
import { policies } from '../calls/policies.ts';
import { idParam } from '../text/text.ts';
import { productSchema } from './products.ts';

/** Alternatives of one part. */
export const MAX_INSTEAD = 3;

export const insteadSchema = z.object({
  product: productSchema,
  fits: z.int().check(z.describe('Models of the part that this one fits, too')),
  of: z.int().check(z.describe('Models of the part')),
  quantity: z.int().check(z.describe('Pieces that can be ordered in place of the wanted ones, or 0')),
  named: z.optional(z.literal(true).check(z.describe('The successor that the shop named'))),
});
export type Instead = z.infer<typeof insteadSchema>;

/** Without price and stock: the part may have been removed. */
const factsSchema = z.pick(productSchema, {
  _id: true,
  name: true,
  number: true,
  kind: true,
  image: true,
  fits: true,
  attributes: true,
});

export const partWithInstead = z.object({
  product: factsSchema,
  gone: z.optional(z.literal(true).check(z.describe('No longer sold'))),
  instead: z.array(insteadSchema),
});
export type PartWithInstead = z.infer<typeof partWithInstead>;
export type PartFacts = PartWithInstead['product'];

export const readInstead = defineCall({
  method: 'GET',
  path: '/product/:id/instead',
  tag: 'Products',
  policy: policies.readInstead,
  summary: 'Read what fits instead of a part',
  description: `At most ${MAX_INSTEAD} parts. The part that \`replacedBy\` names comes first, even without stock. If that part was replaced as well, its own successor comes first. Parts of the same kind follow that fit most of the models and have the pieces in stock; more models come first, then lower prices. A part that is no longer sold has them, too; its price and stock are not shown. Parts with few attribute names in common are not offered. \`quantity\` is the pieces wanted, the minimum order if absent.`,
  params: z.object({ id: idParam }),
  query: z.object({
    quantity: z.optional(z.string().check(z.regex(/^[1-9]\d{0,8}$/, 'Must be a whole number from 1'))),
  }),
  answer: z.object({ data: partWithInstead }),
  // The stock of any part can change the answer.
  dependsOn: () => ['products'],
  problems: ['not-found'],
});

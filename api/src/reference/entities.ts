import { activitySchema, orderEventSchema, stockMoveSchema } from '@parts-forge/contract/events/trail';
import { batchLineSchema } from '@parts-forge/contract/orders/batch';
import { orderSchema } from '@parts-forge/contract/orders/orders';
import { userSchema } from '@parts-forge/contract/people/users';
import { productSchema } from '@parts-forge/contract/products/products';
import { reviewSchema } from '@parts-forge/contract/products/reviews';
import { toJsonSchema } from '#src/platform/http/docs/json.ts';

/** Objects that several answers have. */
export const entities = {
  product: { schema: productSchema, source: 'productSchema' },
  order: { schema: orderSchema, source: 'orderSchema' },
  'batch line': { schema: batchLineSchema, source: 'batchLineSchema' },
  user: { schema: userSchema, source: 'userSchema' },
  review: { schema: reviewSchema, source: 'reviewSchema' },
  'order event': { schema: orderEventSchema, source: 'orderEventSchema' },
  'stock move': { schema: stockMoveSchema, source: 'stockMoveSchema' },
  activity: { schema: activitySchema, source: 'activitySchema' },
} as const;

const names = new Map(
  Object.entries(entities).map(([name, { schema }]) => [
    JSON.stringify(toJsonSchema(schema, 'output')),
    name,
  ]),
);

/** Null for an object without a name. */
export const findEntity = (schema: object): string | null => names.get(JSON.stringify(schema)) ?? null;

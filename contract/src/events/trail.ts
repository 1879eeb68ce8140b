import * as z from 'zod/mini';
import { defineCall } from '../calls/call.ts';
import { pagingFields, searchField } from '../calls/paging.ts';
import { policies } from '../calls/policies.ts';
import { idField, idParam, instant, momentField } from '../text/text.ts';
import { ACTOR_KINDS, STOCK_KINDS, TRAIL_EVENTS, TRAIL_TOPICS } from './trail-events.ts';

const actorSchema = z.object({
  kind: z.enum(ACTOR_KINDS),
  _id: z.optional(z.string()),
  name: z.optional(z.string()),
});
/** A deleted person has no name. */
export type TrailActor = z.infer<typeof actorSchema>;

const keyField = z.optional(
  z.string().check(z.describe('Name of the key that acted, or was made or ended; absent once erased')),
);

/** Before or after, by field; amounts in the shop's currency. */
const factsSchema = z.optional(z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])));

export const activitySchema = z.object({
  _id: z.string(),
  at: instant,
  event: z.enum(TRAIL_EVENTS),
  by: actorSchema,
  order: z.optional(z.string()),
  orderNumber: z.optional(z.int()),
  purchase: z.optional(z.int().check(z.describe('Number of what the order was placed with'))),
  product: z.optional(z.object({ _id: z.string(), name: z.optional(z.string()) })),
  user: z.optional(
    z.object({ _id: z.string(), name: z.optional(z.string()), email: z.optional(z.string()) }),
  ),
  transactionId: z.optional(z.string()),
  key: keyField,
  change: z.optional(z.int()),
  before: factsSchema,
  after: factsSchema,
  requestId: z.string(),
});
export type Activity = z.infer<typeof activitySchema>;

export const activityQuerySchema = z.object({
  ...pagingFields,
  who: z.optional(idField('Must be the id of a user')),
  what: z.optional(
    z.enum([...TRAIL_TOPICS, ...TRAIL_EVENTS], `Must be an event or one of ${TRAIL_TOPICS.join(', ')}`),
  ),
  from: z.optional(momentField),
  to: z.optional(momentField),
  q: searchField,
});
export type ActivityQuery = z.output<typeof activityQuerySchema>;

export const listActivity = defineCall({
  method: 'GET',
  path: '/activity',
  tag: 'Administration',
  policy: policies.listActivity,
  summary: 'Who did what',
  description:
    "Newest first; without the placing of orders. `who` is a user's id, `what` an event or topic; `from` is included, `to` is not. `q`: number of an order, purchase or invoice; whole id of an order, part or payment; words of a part's name and number or a person's name and email.",
  query: activityQuerySchema,
  answer: z.object({ data: z.array(activitySchema) }),
  paged: 'data',
});

export const stockMoveSchema = z.object({
  at: instant,
  kind: z.enum(STOCK_KINDS),
  change: z.int(),
  balance: z.int(),
  order: z.optional(z.string()),
  orderNumber: z.optional(z.int()),
  by: z.optional(actorSchema),
  note: z.optional(z.string()),
});
export type StockMove = z.infer<typeof stockMoveSchema>;

export const readStockLedger = defineCall({
  method: 'GET',
  path: '/product/:id/stock',
  tag: 'Administration',
  policy: policies.readStockLedger,
  summary: 'How the stock of a product moved',
  description:
    'Newest first, also of deleted parts. The stock is the sum of all changes. `held` pieces are reserved by unpaid orders and not in the stock. A key without `orders:read` gets no `by`, `order`, `orderNumber` and `note`, nor does its file.',
  params: z.object({ id: idParam }),
  query: z.object(pagingFields),
  answer: z.object({ data: z.array(stockMoveSchema), held: z.int() }),
  paged: 'data',
  problems: ['not-found'],
});

export const orderEventSchema = z.object({
  at: instant,
  event: z.enum(['ordered', ...TRAIL_EVENTS]),
  by: actorSchema,
  key: keyField,
  transactionId: z.optional(z.string().check(z.describe('Of `paid`'))),
  before: factsSchema,
  after: factsSchema,
  orders: z.optional(z.int().check(z.describe('Of a purchase: how many orders the act changed, if several'))),
});
export type OrderEvent = z.infer<typeof orderEventSchema>;

export const readOrderTrail = defineCall({
  method: 'GET',
  path: '/order/:id/trail',
  tag: 'Orders',
  policy: policies.readOrderTrail,
  summary: 'What happened to an order',
  description:
    'Newest first, also of closed orders. Its customer sees `ordered`, `paid`, `accepted`, `refunded`, `cancelled` and `expired`, and of other people only their kind. Only administrators see the reason of a refund. Events from before the trail began are absent, except `ordered`. `purchase=true` joins what one act did to several orders of its purchase: `after` has the facts that they share, and the sum of their amounts.',
  params: z.object({ id: idParam }),
  query: z.object({ purchase: z.optional(z.literal('true', 'Must be true')) }),
  answer: z.object({ data: z.array(orderEventSchema) }),
  problems: ['not-found'],
});

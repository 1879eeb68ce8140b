import * as z from 'zod/mini';
import { EVENT_DAYS, PAGE_LIMIT } from '../calls/bounds.ts';
import { defineCall } from '../calls/call.ts';
import { pagingFields } from '../calls/paging.ts';
import { policies } from '../calls/policies.ts';
import { NUMBER_FIELDS } from '../products/product-fields.ts';
import { instant } from '../text/text.ts';
import { EVENT_TYPES, type EventType } from './event-types.ts';

const money = ['refund', 'lost', 'unassigned', 'amount', 'quantity'];

/** Before and after: amounts in the shop's currency, the rest in pieces, days and years. Those that do not concern it are absent. */
const figures: Record<EventType, readonly string[]> = {
  'order.placed': ['total'],
  'order.paid': ['amount'],
  'order.accepted': ['amount'],
  'order.shipped': ['quantity'],
  'order.cancelled': [],
  'order.expired': [],
  'order.refunded': money,
  'order.disputed': money,
  'part.created': ['price', 'quantity', 'minimumOrder'],
  'part.changed': [...NUMBER_FIELDS, 'version'],
  'part.deleted': [],
  'stock.changed': ['quantity'],
  'stock.low': [],
};

function describeType(type: EventType) {
  const fields = Object.fromEntries(figures[type].map((name) => [name, z.optional(z.number())]));
  return z.object({
    id: z.string().check(z.describe('The same for ever, in each delivery')),
    number: z.int().check(z.describe('Rises by commit; some are left out')),
    type: z.literal(type),
    at: instant.check(z.describe('When it happened')),
    order: z.optional(z.string()),
    part: z.optional(z.string()),
    change: z.optional(z.int().check(z.describe('Pieces that the stock gained or lost'))),
    before: z.optional(z.object(fields)),
    after: z.optional(z.object(fields)),
  });
}

export const eventSchemas = EVENT_TYPES.map(describeType) as [ReturnType<typeof describeType>];
export const eventSchema = z.discriminatedUnion('type', eventSchemas);
/** No names, addresses or emails: receivers read the order. Amounts in the shop's currency. */
export type ShopEvent = z.infer<typeof eventSchema>;

const notANumber = 'Must be the number of an event, or 0';
const isType = (type: string): type is EventType => EVENT_TYPES.some((each) => each === type);
const notTypes = `Must be one or more of ${EVENT_TYPES.join(', ')}, separated by commas`;

export const listEvents = defineCall({
  method: 'GET',
  path: '/events',
  tag: 'Administration',
  policy: policies.listEvents,
  summary: 'What happened',
  description: `Events of ${EVENT_DAYS} days in the order of their numbers, each fact once, within seconds of its commit. \`after\`: the last number that was read, by default 0; an event never comes below a number that was answered. \`last\` is the next \`after\`, also where \`types\` leaves events out. A fact that moves pieces has \`change\` and no \`stock.changed\` beside it. At most ${PAGE_LIMIT} at once, by default ${PAGE_LIMIT}.`,
  query: z.object({
    limit: pagingFields.limit,
    after: z.optional(
      z
        .pipe(z.string().check(z.regex(/^\d{1,15}$/, notANumber)), z.transform(Number))
        .register(z.globalRegistry, { type: 'integer', minimum: 0, pattern: undefined }),
    ),
    types: z.optional(
      z
        .pipe(
          z.string(notTypes).check(z.refine((list) => list.split(',').every(isType), notTypes)),
          z.transform((list: string) => list.split(',').filter(isType)),
        )
        .register(z.globalRegistry, { type: 'array', items: { type: 'string', enum: [...EVENT_TYPES] } }),
    ),
  }),
  answer: z.object({ data: z.array(eventSchema), last: z.int() }),
  problems: ['events-gone'],
});

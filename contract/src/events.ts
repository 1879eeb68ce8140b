import * as z from 'zod/mini';
import { EVENT_DAYS, PAGE_LIMIT } from './bounds.ts';
import { defineCall } from './call.ts';
import { EVENT_TYPES } from './event-types.ts';
import { pagingFields } from './paging.ts';
import { policies } from './policies.ts';
import { instant } from './text.ts';

const figures = z.optional(z.record(z.string(), z.number()));

export const eventSchema = z.object({
  id: z.string().check(z.describe('The same for ever, in each delivery')),
  number: z.int().check(z.describe('Rises by commit; some are left out')),
  type: z.enum(EVENT_TYPES),
  at: instant.check(z.describe('When it happened')),
  order: z.optional(z.string()),
  part: z.optional(z.string()),
  change: z.optional(z.int().check(z.describe('Pieces that the stock gained or lost'))),
  before: figures,
  after: figures,
});
/** No names, addresses or emails: receivers read the order. Amounts in dollars. */
export type ShopEvent = z.infer<typeof eventSchema>;

const notANumber = 'Must be the number of an event, or 0';

export const listEvents = defineCall({
  method: 'GET',
  path: '/events',
  tag: 'Administration',
  policy: policies.listEvents,
  summary: 'What happened',
  description: `Events of ${EVENT_DAYS} days in the order of their numbers, each fact once, within seconds of its commit. \`after\`: the last number that was read, by default 0; an event never comes below a number that was answered. \`last\` is the next \`after\`. A fact that moves pieces has \`change\` and no \`stock.changed\` beside it. At most ${PAGE_LIMIT} at once, by default ${PAGE_LIMIT}.`,
  query: z.object({
    limit: pagingFields.limit,
    after: z.optional(
      z
        .pipe(z.string().check(z.regex(/^\d{1,15}$/, notANumber)), z.transform(Number))
        .register(z.globalRegistry, { type: 'integer', minimum: 0, pattern: undefined }),
    ),
  }),
  answer: z.object({ data: z.array(eventSchema), last: z.int() }),
  problems: ['events-gone'],
});

import * as z from 'zod/mini';
import { LOW_STOCK_MINIMUM_ORDERS, OVERVIEW_WEEKS } from './bounds.ts';
import { defineCall } from './call.ts';
import { policies } from './policies.ts';
import { productSchema } from './products.ts';
import { instant } from './text.ts';

const byState = z.object({ due: z.number(), pending: z.number(), paid: z.number(), refunded: z.number() });

export const overviewSchema = z.object({
  revenue: z.array(z.object({ week: z.string(), amount: z.number() })),
  orders: byState,
  amounts: byState,
  waiting: z.object({ count: z.int(), oldest: z.optional(instant) }),
  lowStock: z.array(productSchema),
  unpaidHeld: z.object({ pieces: z.int(), amount: z.number() }),
  returned: z.array(z.object({ _id: z.string(), number: z.int(), amount: z.number() })),
});
/** Dollars; `revenue` may be negative. */
export type Overview = z.infer<typeof overviewSchema>;

export const readOverview = defineCall({
  method: 'GET',
  path: '/overview',
  tag: 'Administration',
  policy: policies.readOverview,
  summary: 'How the shop does',
  description: `\`revenue\`: the last ${OVERVIEW_WEEKS} ISO weeks of the shop's time zone, this one last, received less refunded. \`orders\`, \`amounts\`: open orders by status; \`refunded\`: all with a refund, \`unassigned\` money once, a failed refund when it succeeds. \`waiting\`: undisputed payments to accept. \`lowStock\`: at most 100 parts below ${LOW_STOCK_MINIMUM_ORDERS} minimum orders, scarcest first. \`unpaidHeld\`: reserved by unpaid orders. \`returned\`: at most 100 orders that closed as refunded and whose money came back, to be refunded again.`,
  answer: overviewSchema,
});

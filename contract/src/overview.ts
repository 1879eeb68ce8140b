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
});
/**
 * How the shop does, amounts in dollars. `revenue`: what was received less what was given back, by ISO week of the
 * shop's time zone (`2026-W47`), the oldest first, the last being the present one; a week may be below zero. `orders` and `amounts`: those
 * that stand, by status, and under `refunded` those of which money was given back, ended ones too, with what was given
 * back. `waiting`: payments to accept, without those that are disputed, and when the oldest of those orders was placed;
 * absent for none. `lowStock`: parts on sale with fewer than LOW_STOCK_MINIMUM_ORDERS minimum orders left, the scarcest
 * first, at most a hundred.
 * `unpaidHeld`: pieces that unpaid orders hold, and their worth.
 */
export type Overview = z.infer<typeof overviewSchema>;

export const readOverview = defineCall({
  method: 'GET',
  path: '/overview',
  tag: 'Administration',
  policy: policies.readOverview,
  summary: 'How the shop does',
  description: `Revenue of the last ${OVERVIEW_WEEKS} ISO weeks (in the shop's time zone), received less given back; orders and amounts by status, and under \`refunded\` what was given back; payments that wait for acceptance and are not disputed; parts with fewer than ${LOW_STOCK_MINIMUM_ORDERS} minimum orders left, at most a hundred; what unpaid orders hold.`,
  answer: overviewSchema,
});

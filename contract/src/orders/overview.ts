import * as z from 'zod/mini';
import { LOW_STOCK_MINIMUM_ORDERS, OVERVIEW_WEEKS } from '../calls/bounds.ts';
import { defineCall } from '../calls/call.ts';
import { policies } from '../calls/policies.ts';
import { E_INVOICE_FACTS } from '../money/papers.ts';
import { productSchema } from '../products/products.ts';
import { instant } from '../text/text.ts';

/** In the shop's time zone. */
export const monthField = z
  .string('Must be a month such as 2026-11')
  .check(z.regex(/^20\d\d-(?:0[1-9]|1[0-2])$/, 'Must be a month such as 2026-11'));

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
/** In the shop's currency; `revenue` may be negative. */
export type Overview = z.infer<typeof overviewSchema>;

export const readOverview = defineCall({
  method: 'GET',
  path: '/overview',
  tag: 'Administration',
  policy: policies.readOverview,
  summary: 'How the shop does',
  description: `\`revenue\`: the last ${OVERVIEW_WEEKS} ISO weeks of the shop's time zone, this one last, received less refunded. \`orders\`, \`amounts\`: open orders by status; \`refunded\`: all with money refunded or lost for good, as their credit notes say. \`waiting\`: undisputed payments to accept. \`lowStock\`: at most 100 parts below ${LOW_STOCK_MINIMUM_ORDERS} minimum orders, scarcest first. \`unpaidHeld\`: reserved by unpaid orders. \`returned\`: at most 100 orders that closed as refunded and whose money came back, to be refunded again.`,
  answer: overviewSchema,
});

const movedFields = { received: z.number(), refunded: z.number(), lost: z.number() };

export const monthSchema = z.object({
  ...movedFields,
  net: z.number().check(z.describe('Received less refunded and lost; contains `tax`')),
  tax: z.number(),
  days: z.array(z.object({ day: z.string(), ...movedFields, net: z.number() })),
  parts: z.array(
    z.object({
      number: z.nullable(z.string()),
      name: z.string(),
      pieces: z.int().check(z.describe('Invoiced, less those of credit notes')),
      ...movedFields,
    }),
  ),
  taxes: z
    .array(
      z.object({
        category: z.enum(['standard', 'zero', 'exempt', 'reverse']),
        name: z.string(),
        rate: z.number(),
        net: z.number(),
        tax: z.number(),
      }),
    )
    .check(z.describe('`net` by rate in percent; empty for a shop that charges none')),
  papers: z.int(),
  notElectronic: z
    .array(z.object({ fact: z.enum(E_INVOICE_FACTS), papers: z.int() }))
    .check(z.describe('Papers that are no e-invoices, by the fact that they lack')),
  refunds: z
    .object({ count: z.int(), orders: z.int() })
    .check(z.describe('Credit notes, without lost disputes')),
  disputes: z.object({ lost: z.int(), open: z.int().check(z.describe('Now, also of an ended month')) }),
});
export type Month = z.infer<typeof monthSchema>;

export const PROOF_SOURCES = ['orders', 'papers', 'payments', 'provider', 'stock'] as const;
export type ProofSource = (typeof PROOF_SOURCES)[number];

export const proofSchema = z.object({
  agree: z.boolean(),
  sums: z
    .array(
      z.object({
        source: z.enum(PROOF_SOURCES),
        received: z.number(),
        refunded: z.number().check(z.describe('Lost disputes included')),
        pieces: z.int(),
      }),
    )
    .check(z.describe('Without `provider` if it has no lists')),
  differences: z.array(
    z.object({
      order: z.nullable(z.string()).check(z.describe('Null for a payment that no order has, and for a part')),
      part: z.optional(z.string().check(z.describe('Id of a part whose stock differs from its ledger'))),
      number: z.nullable(z.int()),
      source: z.enum(PROOF_SOURCES),
      what: z.enum(['received', 'refunded', 'pieces']),
      is: z.number(),
      wanted: z.number(),
      month: z.optional(z.string().check(z.describe("The provider's month, if that is all that differs"))),
    }),
  ),
});
export type Proof = z.infer<typeof proofSchema>;

export const latestProofSchema = z.object({
  ...proofSchema.shape,
  agree: z.nullable(z.boolean()).check(z.describe('Null before the first result')),
  provedAt: z.nullable(instant).check(z.describe('When the comparison began')),
  running: z.boolean().check(z.describe('Whether a newer comparison goes on')),
});
export type LatestProof = z.infer<typeof latestProofSchema>;

export const readMonth = defineCall({
  method: 'GET',
  path: '/overview/month',
  tag: 'Administration',
  policy: policies.readMonth,
  summary: 'The money of a month',
  description:
    "Sums of the papers of the month in the shop's time zone: invoices are received, credit notes refunded, or lost if a dispute took the money; debit notes take those back. Days without papers are absent. Days, parts and the month have the same sums. An ended month never changes.",
  query: z.object({ month: monthField }),
  answer: monthSchema,
});

export const readProof = defineCall({
  method: 'GET',
  path: '/overview/month/proof',
  tag: 'Administration',
  policy: policies.readProof,
  summary: 'Whether five sources give the same month',
  description:
    "Compares papers with orders, the shop's payments, the provider's lists and the stock ledger, for every order with a movement in the month. A comparison that takes long, as of thousands of payments, goes on after the answer, which has the last result: ask again while it is `running`. Its result stands for a minute. `differences`: at most 100; `agree` if each only says that the provider dates the movement in another `month`.",
  query: z.object({ month: monthField }),
  answer: latestProofSchema,
  rateLimit: { requests: 30, seconds: 60 },
  problems: ['unavailable', 'provider-broken'],
});

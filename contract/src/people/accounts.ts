import * as z from 'zod/mini';
import { defineCall } from '../calls/call.ts';
import { policies } from '../calls/policies.ts';
import { MAIL_KINDS, MAIL_STATES } from '../events/mail-kinds.ts';
import { ACTOR_KINDS, TRAIL_EVENTS } from '../events/trail-events.ts';
import { orderSchema } from '../orders/orders.ts';
import { agreedPriceSchema } from '../prices/agreed-prices.ts';
import { quoteSchema } from '../prices/quotes.ts';
import { reviewSchema } from '../products/reviews.ts';
import { emailParam, instant } from '../text/text.ts';
import { keySchema } from './keys.ts';
import { userSchema } from './users.ts';

/** Account calls that the shop serves itself; the identity service's own are in `identity-service.ts`. */

export const createResetLink = defineCall({
  method: 'POST',
  path: '/user/:email/reset-link',
  tag: 'Users',
  policy: policies.createResetLink,
  summary: 'Make a link for a new password',
  description:
    'For a customer who cannot sign in; shown once. It sets one password within `expiresIn` seconds (an hour) and ends the link before. `npm run create-admin` sets that of an administrator. 404 with a hosted identity service.',
  params: z.object({ email: emailParam }),
  answer: z.object({ url: z.string(), expiresIn: z.int() }),
  problems: ['not-found', 'no-link-for-admin'],
});

const openSessionSchema = z.object({
  createdAt: instant,
  updatedAt: instant,
  expiresAt: instant,
  ipAddress: z.nullable(z.string()),
  userAgent: z.nullable(z.string()),
});

/** The actor's kind only: other people's names are not theirs to export. */
const trailOfPersonSchema = z.object({
  at: instant,
  event: z.enum(TRAIL_EVENTS),
  by: z.enum(ACTOR_KINDS),
  order: z.optional(z.string()),
});

const mailOfPersonSchema = z.object({
  at: instant,
  kind: z.enum(MAIL_KINDS),
  state: z.enum(MAIL_STATES),
  order: z.optional(z.string()),
});

const batchOfPersonSchema = z.object({
  product: z.string(),
  name: z.string(),
  quantity: z.int(),
  at: instant,
});

const aliasOfPersonSchema = z.object({
  alias: z.string(),
  product: z.string(),
  name: z.string(),
  at: instant,
});

const wishOfPersonSchema = z.object({ product: z.string(), name: z.string(), at: instant });

/** Kept by law, with its buyer. */
const invoiceOfPersonSchema = z.object({
  number: z.string(),
  at: instant,
  order: z.string(),
  amount: z.number(),
  buyer: z.object({
    name: z.string(),
    email: z.string(),
    address: z.string(),
    company: z.optional(z.string()),
    taxNumber: z.optional(z.string()),
    country: z.optional(z.string()),
  }),
  taxReason: z.optional(z.string().check(z.describe('Why no tax was charged'))),
});

export const readUserData = defineCall({
  method: 'GET',
  path: '/user/:email/data',
  tag: 'Users',
  policy: policies.readUserData,
  summary: 'Everything that is kept about oneself',
  description:
    'Also closed orders, the saved batch, own names of parts, wishes, agreed prices and requests for them, the trail about them, mails of thirty days (no texts), and what opens the account. Of orders, invoices, reviews and trail the newest 10,000 each; `isComplete` is false when there are more (`GET /order` has older orders).',
  params: z.object({ email: emailParam }),
  answer: z.object({
    exportedAt: instant,
    isComplete: z.boolean(),
    profile: userSchema,
    orders: z.array(orderSchema),
    batch: z.array(batchOfPersonSchema),
    aliases: z.array(aliasOfPersonSchema).check(z.describe("The person's own names of parts")),
    wishes: z.array(wishOfPersonSchema).check(z.describe('Parts that the person waits for')),
    prices: z.array(agreedPriceSchema).check(z.describe('Agreed prices, the ended ones, too')),
    quotes: z.array(quoteSchema).check(z.describe('Requests for prices')),
    invoices: z.array(invoiceOfPersonSchema),
    reviews: z.array(reviewSchema),
    trail: z.array(trailOfPersonSchema),
    mails: z.array(mailOfPersonSchema),
    signIn: z.object({
      emailVerified: z.boolean(),
      identity: z
        .nullable(z.object({ issuer: z.string(), subject: z.string() }))
        .check(z.describe('At the identity service; null before the first sign-in')),
      google: z.nullable(z.object({ id: z.string() })).check(z.describe('Id at Google')),
      secondFactor: z.boolean(),
      keys: z.array(keySchema),
      sessions: z.array(openSessionSchema),
    }),
  }),
  // The most expensive read of all.
  rateLimit: { requests: 10, seconds: 60 },
  problems: ['not-yours'],
});
export type UserData = z.infer<typeof readUserData.answer>;

import * as z from 'zod/mini';
import { MAX_ANSWERED_PRICES, MAX_BATCH_LINES, MAX_OPEN_QUOTES, MAX_QUOTE_NOTE } from '../calls/bounds.ts';
import { defineCall } from '../calls/call.ts';
import { idempotencyKey } from '../calls/idempotency-key.ts';
import { pagingFields, searchField } from '../calls/paging.ts';
import { policies } from '../calls/policies.ts';
import { quantityField } from '../orders/orders.ts';
import { priceField } from '../products/product-fields.ts';
import { idParam, instant, text } from '../text/text.ts';
import {
  endField,
  fromQuantityField,
  ownPriceSchema,
  partIdField,
  pricedPartSchema,
} from './agreed-prices.ts';
import { QUOTE_STATES } from './quote-states.ts';

const noteField = z.optional(text({ max: MAX_QUOTE_NOTE, lines: true }));

export const quoteSchema = z.object({
  _id: z.string(),
  number: z.int().check(z.describe('For people; rises from 101')),
  state: z.enum(QUOTE_STATES),
  customer: z.object({ _id: z.string(), name: z.string(), email: z.string() }),
  lines: z.array(
    z.object({
      product: pricedPartSchema,
      quantity: z.int(),
      wished: z.optional(z.number().check(z.describe("Of one piece, with the list price's tax"))),
      prices: z.array(ownPriceSchema).check(z.describe('Answered and not removed since; may have ended')),
    }),
  ),
  note: z.string(),
  askedAt: instant,
  until: z.optional(z.string().check(z.describe('The last day of its prices'))),
  answerNote: z.optional(z.string()),
  endedAt: z.optional(instant.check(z.describe('When it was answered, declined or withdrawn'))),
});
export type Quote = z.infer<typeof quoteSchema>;

const newLineSchema = z.object({
  productId: partIdField,
  quantity: quantityField,
  wished: z.optional(priceField),
});

export const newQuoteSchema = z.object({
  lines: z
    .array(newLineSchema, 'lines is Required')
    .check(
      z.minLength(1, 'Must be one line or more'),
      z.maxLength(MAX_BATCH_LINES, `Must be no more than ${MAX_BATCH_LINES} lines`),
    ),
  note: noteField,
});
export type NewQuote = z.output<typeof newQuoteSchema>;

const oneQuote = z.object({ data: quoteSchema });
const params = z.object({ id: idParam });

export const askForPrices = defineCall({
  method: 'POST',
  path: '/quote',
  tag: 'Orders',
  policy: policies.askForPrices,
  summary: 'Ask for prices',
  description: `Each part once, in a quantity that its minimum order and step allow; it may be above the stock. \`wished\` contains the tax of the list's price. Administrators get a mail. A customer has at most ${MAX_OPEN_QUOTES} that wait for an answer.`,
  body: newQuoteSchema,
  headers: { 'Idempotency-Key': idempotencyKey('The same key from the same customer asks once.') },
  answer: oneQuote,
  // Withdrawing makes room for another, which mails administrators again.
  rateLimit: { requests: 20, seconds: 3600 },
  problems: ['too-many-quotes', 'key-reused'],
});

const quoteQuery = z.object({
  ...pagingFields,
  state: z.optional(z.enum(QUOTE_STATES, `Must be one of ${QUOTE_STATES.join(', ')}`)),
  q: searchField,
});
export type QuoteQuery = z.output<typeof quoteQuery>;

export const listQuotes = defineCall({
  method: 'GET',
  path: '/quote',
  tag: 'Orders',
  policy: policies.listQuotes,
  summary: 'List requests for prices',
  description:
    "Newest first. Customers see their own, administrators everybody's. `q`: words of the customer's name and email, or of a part's name and number; or the request's number as `Q-118`.",
  query: quoteQuery,
  answer: z.object({ data: z.array(quoteSchema) }),
  paged: 'data',
  problems: ['second-factor-required'],
});

export const withdrawQuote = defineCall({
  method: 'POST',
  path: '/quote/:id/withdraw',
  tag: 'Orders',
  policy: policies.withdrawQuote,
  summary: 'Withdraw a request for prices',
  params,
  answer: oneQuote,
  problems: ['not-found', 'quote-ended'],
});

const quoteAnswer = z.object({
  lines: z
    .array(
      z.object({ productId: partIdField, fromQuantity: fromQuantityField, price: priceField }),
      'lines is Required',
    )
    .check(
      z.minLength(1, 'Must be one line or more'),
      z.maxLength(MAX_ANSWERED_PRICES, `Must be no more than ${MAX_ANSWERED_PRICES} lines`),
    ),
  until: endField,
  note: noteField,
});
export type QuoteAnswer = z.output<typeof quoteAnswer>;

export const answerQuote = defineCall({
  method: 'POST',
  path: '/quote/:id/answer',
  tag: 'Orders',
  policy: policies.answerQuote,
  summary: 'Answer a request for prices',
  description:
    'Once. The lines become agreed prices of the customer until the end of `until`; parts left out keep the price of the list. A part may have several quantities, each once. The customer gets a mail.',
  params,
  body: quoteAnswer,
  answer: oneQuote,
  problems: ['not-found', 'quote-ended'],
});

export const declineQuote = defineCall({
  method: 'POST',
  path: '/quote/:id/decline',
  tag: 'Orders',
  policy: policies.declineQuote,
  summary: 'Decline a request for prices',
  description: 'Once. The customer gets a mail.',
  params,
  body: z.object({ note: noteField }),
  answer: oneQuote,
  problems: ['not-found', 'quote-ended'],
});

import * as z from 'zod/mini';
import { EVENT_DAYS, MAX_WEBHOOK_ADDRESS, MAX_WEBHOOKS, SECRET_OVERLAP_HOURS } from '../calls/bounds.ts';
import { defineCall } from '../calls/call.ts';
import { policies } from '../calls/policies.ts';
import { idParam, instant, tooLong } from '../text/text.ts';
import { EVENT_TYPES } from './event-types.ts';
import { eventSchemas } from './events.ts';

const typeList = `Choose one or more of ${EVENT_TYPES.join(', ')}, each once`;
export const notAnAddress = 'Must be an address such as https://erp.example/events, without a password or #';

export const newWebhookSchema = z.object({
  url: z
    .string(notAnAddress)
    .check(z.maxLength(MAX_WEBHOOK_ADDRESS, { error: tooLong(MAX_WEBHOOK_ADDRESS), abort: true })),
  types: z.array(z.enum(EVENT_TYPES, typeList), typeList).check(
    z.minLength(1, typeList),
    z.refine((types) => new Set(types).size === types.length, typeList),
  ),
});
export type NewWebhook = z.output<typeof newWebhookSchema>;

export const webhookChangeSchema = z.object({
  state: z.optional(z.enum(['on', 'off'], 'Must be on or off')),
  secret: z.optional(z.literal('new', 'Must be new')),
});
export type WebhookChange = z.output<typeof webhookChangeSchema>;

const answer = z
  .string()
  .check(
    z.describe(
      'Status such as `200`, or why there was none, such as `TIMEOUT`; `EVENTS_GONE`: this and earlier events were forgotten',
    ),
  );

export const deliverySchema = z.object({
  _id: z.string(),
  event: z.optional(z.int().check(z.describe('Its number; absent for a test'))),
  type: z.string(),
  state: z.enum(['sent', 'failed', 'set-aside']),
  attempts: z.int(),
  answer,
  ms: z.int(),
  at: instant.check(z.describe('Of the last attempt')),
});
export type Delivery = z.infer<typeof deliverySchema>;

export const webhookSchema = z.object({
  _id: z.string(),
  url: z.string(),
  types: z.array(z.enum(EVENT_TYPES)),
  state: z.enum(['on', 'behind', 'off']).check(z.describe('`behind`: the last attempt failed')),
  madeBy: z.optional(
    z
      .object({ _id: z.string(), name: z.optional(z.string()), email: z.optional(z.string()) })
      .check(z.describe('Absent for one from before makers were kept; a deleted person has no name')),
  ),
  createdAt: instant,
  waiting: z.int().check(z.describe('Of the next 10,000 events those that are still to be sent')),
  failingSince: z.optional(instant),
  deliveries: z
    .array(deliverySchema)
    .check(
      z.describe(
        `That failed, were set aside or asked for, newest first: the last hundred, and those that were set aside within ${EVENT_DAYS} days`,
      ),
    ),
  last: z.optional(z.object({ type: z.string(), at: instant, answer, ms: z.int() })),
});
export type Webhook = z.infer<typeof webhookSchema>;

const testSchema = z.object({ id: z.string(), number: z.int(), type: z.literal('test'), at: instant });

export const postedSchemas = [...eventSchemas, testSchema].map((data) =>
  z.object({ type: data.shape.type, timestamp: instant, data }),
);

const notANumber = 'Must be the number of an event';
const secret = z.string().check(z.describe('For the signature; this is its only copy'));
const params = z.object({ id: idParam });
const about = { tag: 'Administration', problems: ['not-found'] } as const;

export const createWebhook = defineCall({
  ...about,
  method: 'POST',
  path: '/webhook',
  policy: policies.createWebhook,
  summary: 'Make a webhook',
  description: `The shop posts each further event of the types to the address: at least once, in order, signed after Standard Webhooks, with \`{ type, timestamp, data }\` and an event of \`GET /events\` as \`data\`. A failure is tried again within 30 s, then ever later. An event that is refused (4xx) for an hour is set aside; the webhook is switched off after five days of failures, by 410, or when its maker is no administrator any more. At most ${MAX_WEBHOOKS}. Needs a sign-in within ten minutes.`,
  body: newWebhookSchema,
  answer: z.object({ secret, data: webhookSchema }),
  rateLimit: { requests: 30, seconds: 60 },
  problems: ['sign-in-again'],
});

export const listWebhooks = defineCall({
  ...about,
  method: 'GET',
  path: '/webhook',
  policy: policies.listWebhooks,
  summary: 'List the webhooks and their deliveries',
  answer: z.object({ data: z.array(webhookSchema) }),
  problems: [],
});

export const changeWebhook = defineCall({
  ...about,
  method: 'PATCH',
  path: '/webhook/:id',
  policy: policies.changeWebhook,
  summary: 'Switch a webhook on or off, or give it a new secret',
  description: `\`on\` makes the caller its maker, also while it is on: it ends with the maker's role. Switched on, it goes on at once with the event after the last one that it handled, within ${EVENT_DAYS} days. \`secret: "new"\` answers a new one, and needs a sign-in within ten minutes; for ${SECRET_OVERLAP_HOURS} hours the shop signs with former ones, too. Another address is another webhook.`,
  params,
  body: webhookChangeSchema,
  answer: z.object({ secret: z.optional(secret), data: webhookSchema }),
  problems: ['sign-in-again', 'not-found'],
});

export const deleteWebhook = defineCall({
  ...about,
  method: 'DELETE',
  path: '/webhook/:id',
  policy: policies.deleteWebhook,
  summary: 'Remove a webhook',
  params,
  answer: z.object({ deletedCount: z.int() }),
});

export const sendDelivery = defineCall({
  ...about,
  method: 'POST',
  path: '/webhook/:id/deliveries',
  policy: policies.sendDelivery,
  summary: 'Send an event again, or a test',
  description:
    'One attempt at once, out of order, also while the webhook is off. Without `event`: a test of the type `test`. If the receiver takes it, a webhook that is behind tries again at once.',
  params,
  body: z.object({
    event: z.optional(z.int(notANumber).check(z.positive(notANumber))),
  }),
  answer: z.object({ data: z.pick(deliverySchema, { state: true, answer: true, ms: true }) }),
  rateLimit: { requests: 30, seconds: 60 },
  problems: ['not-found', 'restored-copy'],
});

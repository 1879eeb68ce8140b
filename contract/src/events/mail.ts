import * as z from 'zod/mini';
import { defineCall } from '../calls/call.ts';
import { pagingFields } from '../calls/paging.ts';
import { policies } from '../calls/policies.ts';
import { idParam, instant } from '../text/text.ts';
import { MAIL_KINDS, MAIL_STATES } from './mail-kinds.ts';

const mailSchema = z.object({
  _id: z.string(),
  kind: z.enum(MAIL_KINDS),
  to: z.optional(z.object({ _id: z.string(), name: z.string(), email: z.string() })),
  state: z.enum(MAIL_STATES),
  attempts: z.int(),
  error: z.optional(z.string()),
  order: z.optional(z.string()),
  product: z.optional(z.string()),
  createdAt: instant,
  nextAttemptAt: z.optional(instant),
  endedAt: z.optional(instant),
});
/**
 * `to` is absent after deletion. `error`: last failure (`ETIMEDOUT`, `550`). Waiting mails have
 * `nextAttemptAt`, others `endedAt`.
 */
export type Mail = z.infer<typeof mailSchema>;

export const listMail = defineCall({
  method: 'GET',
  path: '/mail',
  tag: 'Administration',
  policy: policies.listMail,
  summary: 'What the shop mails',
  description:
    'Newest first, for thirty days. Without a mail server everything waits; after three days a mail is no longer sent. `dead`: given up; `dropped`: overtaken.',
  query: z.object({ ...pagingFields, state: z.optional(z.enum(MAIL_STATES)) }),
  answer: z.object({ data: z.array(mailSchema) }),
  paged: 'data',
});

export const readMail = defineCall({
  method: 'GET',
  path: '/mail/:id',
  tag: 'Administration',
  policy: policies.readMail,
  summary: 'A mail as it is read',
  description:
    'As it would be written now; a secret link reads `/hidden-from-administrators`. 404 when its person or part is gone.',
  params: z.object({ id: idParam }),
  answer: z.object({ subject: z.string(), text: z.string(), html: z.string() }),
  problems: ['not-found'],
});
/** `html` is a document for a frame without scripts. */
export type MailPreview = z.infer<typeof readMail.answer>;

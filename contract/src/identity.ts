import * as z from 'zod/mini';
import { defineCall } from './call.ts';
import { messages } from './messages.ts';
import { emailField, text } from './text.ts';

/** Least length of a password in characters (specification §9). */
export const MIN_PASSWORD = 6;
export const MAX_PASSWORD = 128;

const passwordField = z
  .string(messages.passwordRequired)
  .check(
    z.minLength(1, { error: messages.passwordRequired, abort: true }),
    z.minLength(MIN_PASSWORD, messages.passwordTooShort),
    z.maxLength(MAX_PASSWORD, `Must be no more than ${MAX_PASSWORD} characters`),
  );

/** The forms of /login and /register with the specification's messages (§5). */
export const loginSchema = z.object({ email: emailField, password: passwordField });
export const registerSchema = z.object({
  name: text({ min: 1, max: 120, required: messages.nameRequired }),
  email: emailField,
  password: passwordField,
});

export const exchangeIdentity = defineCall({
  method: 'PUT',
  path: '/user/:email',
  caller: 'identity',
  summary: "Exchange proof of identity for the shop's access token",
  description:
    "The bearer is the identity service's signed token for that email. Creates the user on first sight with role `user`; never changes a role.",
  body: z.object({
    email: emailField,
    name: z.optional(z.nullable(text({ min: 1, max: 120, required: messages.nameRequired }))),
  }),
  answer: z.object({ acknowledged: z.boolean(), token: z.string(), expiresIn: z.int() }),
  problems: ['identity-token-required', 'identity-invalid', 'identity-revoked', 'not-yours', 'email-in-use'],
});

export const logout = defineCall({
  method: 'POST',
  path: '/logout',
  caller: 'signed-in',
  summary: 'End the access token at once',
  answer: z.null(),
  empty: true,
});

/** What the page needs to know of the shop it is on, and no secret. */
export const readConfig = defineCall({
  method: 'GET',
  path: '/config',
  caller: 'everyone',
  summary: 'What the page needs to know',
  answer: z.object({
    identity: z.object({ kind: z.enum(['embedded', 'firebase']), google: z.boolean() }),
    payments: z.object({
      mode: z.enum(['stripe', 'sandbox']),
      publishableKey: z.string(),
      scriptUrl: z.nullable(z.string()),
    }),
    images: z.object({ maxBytes: z.int(), types: z.array(z.string()) }),
  }),
});
/** The answer of `GET /config`. */
export type PageConfig = z.infer<typeof readConfig.answer>;

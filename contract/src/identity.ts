import * as z from 'zod/mini';
import { MAX_NAME, MAX_PASSWORD, MIN_PASSWORD } from './bounds.ts';
import { defineCall } from './call.ts';
import { messages } from './messages.ts';
import { policies } from './policies.ts';
import { emailField, emailParam, newEmailField, text, tooLong } from './text.ts';

/** `required`: no administration without a second factor. */
export const SECOND_FACTOR_RULES = ['optional', 'required'] as const;

const personName = text({ min: 1, max: MAX_NAME, required: messages.nameRequired });

/** Specification §9: six characters, no other rule. */
export const passwordField = z
  .string(messages.passwordRequired)
  .check(
    z.minLength(1, { error: messages.passwordRequired, abort: true }),
    z.minLength(MIN_PASSWORD, messages.passwordTooShort),
    z.maxLength(MAX_PASSWORD, tooLong(MAX_PASSWORD)),
  );

/** Messages of specification §5. */
export const loginSchema = z.object({ email: emailField, password: passwordField });
export const registerSchema = z.object({
  name: personName,
  email: newEmailField,
  password: passwordField,
});

export const exchangeIdentity = defineCall({
  method: 'PUT',
  path: '/user/:email',
  tag: 'Users',
  policy: policies.exchangeIdentity,
  summary: "Exchange proof of identity for the shop's access token",
  description:
    "The bearer is the identity service's signed token for that email. Creates the user on first sight with role `user`; never changes a role.",
  params: z.object({ email: emailParam }),
  body: z.object({
    email: emailField,
    name: z.optional(z.nullable(personName)),
  }),
  answer: z.object({ acknowledged: z.boolean(), token: z.string(), expiresIn: z.int() }),
  rateLimit: { requests: 60, seconds: 60 },
  problems: ['identity-token-required', 'identity-invalid', 'identity-revoked', 'not-yours', 'email-in-use'],
});

export const logout = defineCall({
  method: 'POST',
  path: '/logout',
  tag: 'Users',
  policy: policies.logout,
  summary: 'End the access token at once, with its session',
  answer: z.null(),
  empty: true,
});

/** `authDomain` is the host of the popup. */
const firebaseProject = z.object({ projectId: z.string(), apiKey: z.string(), authDomain: z.string() });
export type FirebaseProject = z.infer<typeof firebaseProject>;

/** Contains no secret. */
export const readConfig = defineCall({
  method: 'GET',
  path: '/config',
  tag: 'Shop',
  policy: policies.readConfig,
  summary: 'What the page needs to know',
  dependsOn: () => ['config'],
  answer: z.object({
    identity: z.object({
      kind: z.enum(['embedded', 'firebase']),
      /** Set up, and Google was reached. */
      google: z.boolean(),
      /**
       * `/identity` manages passwords, sessions and second factors (`identity-service.ts`); false for a
       * hosted service.
       */
      selfService: z.boolean(),
      /** Reset links come by mail, not from an administrator. */
      mail: z.boolean(),
      adminSecondFactor: z.enum(SECOND_FACTOR_RULES),
      /** For `kind` `firebase`; all public. */
      firebase: z.optional(firebaseProject),
    }),
    payments: z.object({
      mode: z.enum(['stripe', 'sandbox']),
      publishableKey: z.string(),
      scriptUrl: z.nullable(z.string()),
    }),
    images: z.object({
      maxBytes: z.int(),
      types: z.array(z.string()),
      /** Pixels; empty when each picture has one file. */
      widths: z.array(z.int()),
    }),
    /** Until an unpaid order expires; null: never. */
    holdHours: z.nullable(z.number()),
    /** Null when not set. */
    contactEmail: z.nullable(z.string()),
    timeZone: z.string(),
    /** Absent when not set. */
    seller: z.optional(z.object({ name: z.string(), address: z.array(z.string()) })),
  }),
});
export type PageConfig = z.infer<typeof readConfig.answer>;

import * as z from 'zod/mini';
import { MAX_NAME, MAX_PASSWORD, MIN_PASSWORD } from './bounds.ts';
import { defineCall } from './call.ts';
import { messages } from './messages.ts';
import { policies } from './policies.ts';
import { emailField, emailParam, newEmailField, text, tooLong } from './text.ts';

/** `required` closes administration to sessions without a second factor. */
export const SECOND_FACTOR_RULES = ['optional', 'required'] as const;

const personName = text({ min: 1, max: MAX_NAME, required: messages.nameRequired });

/** Customer password (specification §9: six characters, no other rule). */
export const passwordField = z
  .string(messages.passwordRequired)
  .check(
    z.minLength(1, { error: messages.passwordRequired, abort: true }),
    z.minLength(MIN_PASSWORD, messages.passwordTooShort),
    z.maxLength(MAX_PASSWORD, tooLong(MAX_PASSWORD)),
  );

/** Forms of /login and /register, with the messages of specification §5. */
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

/** A Firebase project in its client's terms. `authDomain` is the host of the sign-in popup. */
const firebaseProject = z.object({ projectId: z.string(), apiKey: z.string(), authDomain: z.string() });
export type FirebaseProject = z.infer<typeof firebaseProject>;

/** Public settings of the shop; no secret. */
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
      /** True when Google sign-in is set up and Google was reached. */
      google: z.boolean(),
      /**
       * True when `/identity` manages passwords, sessions and second factors (`identity-service.ts`); false
       * for a hosted service.
       */
      selfService: z.boolean(),
      /** Reset links come by mail; false: an administrator creates them. */
      mail: z.boolean(),
      adminSecondFactor: z.enum(SECOND_FACTOR_RULES),
      /** Settings of Firebase's client when `kind` is `firebase`; all public. */
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
      /** Widths in pixels of each picture; empty when each has one file. */
      widths: z.array(z.int()),
    }),
    /** Hours until an unpaid order's pieces are released; null: never. */
    holdHours: z.nullable(z.number()),
    /** The seller's address for mail; null when not set. */
    contactEmail: z.nullable(z.string()),
    /** IANA name of the time zone for the shop's days and weeks. */
    timeZone: z.string(),
    /** Seller's name and address lines; absent when not set. */
    seller: z.optional(z.object({ name: z.string(), address: z.array(z.string()) })),
  }),
});
export type PageConfig = z.infer<typeof readConfig.answer>;

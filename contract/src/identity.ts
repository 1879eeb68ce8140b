import * as z from 'zod/mini';
import { MAX_NAME, MAX_PASSWORD, MIN_PASSWORD } from './bounds.ts';
import { defineCall } from './call.ts';
import { messages } from './messages.ts';
import { policies } from './policies.ts';
import { emailField, emailParam, newEmailField, text, tooLong } from './text.ts';

/** What the shop asks of administrators: `required` closes administration to who signed in without a second factor. */
export const SECOND_FACTOR_RULES = ['optional', 'required'] as const;

const personName = text({ min: 1, max: MAX_NAME, required: messages.nameRequired });

/** A password as every customer may choose it (specification §9: six characters, and no other rule). */
export const passwordField = z
  .string(messages.passwordRequired)
  .check(
    z.minLength(1, { error: messages.passwordRequired, abort: true }),
    z.minLength(MIN_PASSWORD, messages.passwordTooShort),
    z.maxLength(MAX_PASSWORD, tooLong(MAX_PASSWORD)),
  );

/** The forms of /login and /register with the specification's messages (§5). */
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

/** A project of Firebase, as its client names it. `authDomain` is the host that signs in by popup. */
const firebaseProject = z.object({ projectId: z.string(), apiKey: z.string(), authDomain: z.string() });
export type FirebaseProject = z.infer<typeof firebaseProject>;

/** What the page needs to know of the shop it is on, and no secret. */
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
      /** Sign-in with Google is set up, and Google has been reached. */
      google: z.boolean(),
      /**
       * Passwords, sessions and second factors are looked after under `/identity` (`identity-service.ts`); false for a
       * hosted service, which has its own ways.
       */
      selfService: z.boolean(),
      /** A link for a new password comes by mail; false: an administrator makes one. */
      mail: z.boolean(),
      /** Whether administrators must, or may, have a second factor. */
      adminSecondFactor: z.enum(SECOND_FACTOR_RULES),
      /** What Firebase's own client needs, with `kind` `firebase`; all of it is public. */
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
      /** In which each picture of this shop can be had, in pixels; none where it has but one file. */
      widths: z.array(z.int()),
    }),
    /** Hours for which the pieces of an unpaid order are held; null: until it is paid. */
    holdHours: z.nullable(z.number()),
    /** Where the seller can be written to; null where the settings name no address. */
    contactEmail: z.nullable(z.string()),
    /** The IANA name of the time zone whose days and weeks the shop counts in. */
    timeZone: z.string(),
    /** Who sells, and the lines of where; absent where the settings name nobody. */
    seller: z.optional(z.object({ name: z.string(), address: z.array(z.string()) })),
  }),
});
/** The answer of `GET /config`. */
export type PageConfig = z.infer<typeof readConfig.answer>;

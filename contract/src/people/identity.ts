import * as z from 'zod/mini';
import { MAX_NAME, MAX_PASSWORD, MIN_PASSWORD } from '../calls/bounds.ts';
import { defineCall } from '../calls/call.ts';
import { messages } from '../calls/messages.ts';
import { policies } from '../calls/policies.ts';
import { emailField, emailParam, newEmailField, text, tooLong } from '../text/text.ts';

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
    "The bearer is the identity service's signed token for that email, compared without regard to case. Creates the user on first sight with role `user`; never changes a role. The token lives `expiresIn` seconds.",
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
  description: 'All tokens of the session end, too.',
  answer: z.null(),
  empty: true,
});

/** `authDomain` is the host of the popup. */
const firebaseProject = z.object({ projectId: z.string(), apiKey: z.string(), authDomain: z.string() });
export type FirebaseProject = z.infer<typeof firebaseProject>;

/**
 * Texts are empty for none. `address` is the footer's without `seller`. `picture`, `logo` and `styles` are paths,
 * `light` and `dark` colours; an absent logo or accent is the default one.
 */
const pageShop = z.object({
  name: z.string(),
  tagline: z.string(),
  description: z.string(),
  address: z.array(z.string()),
  links: z.array(z.object({ name: z.string(), url: z.string() })),
  picture: z.nullable(z.string()),
  logo: z.optional(z.string()),
  accent: z.optional(z.object({ light: z.string(), dark: z.string(), styles: z.string() })),
});
export type PageShop = z.infer<typeof pageShop>;

export const readConfig = defineCall({
  method: 'GET',
  path: '/config',
  tag: 'Shop',
  policy: policies.readConfig,
  summary: 'What the page needs to know',
  description:
    "Without secrets. `holdHours`: how long an unpaid order is reserved, null for ever. `timeZone`: the zone of the shop's days and weeks. `chargesTax`: `SELLER_TAX_RATE` is set, and `taxPercent` of it is in every price; without it nothing speaks of tax. `contactEmail` (`SELLER_EMAIL`) is null and `seller` absent when not set.",
  dependsOn: () => ['config'],
  answer: z.object({
    identity: z.object({
      kind: z.enum(['embedded', 'firebase']),
      google: z.boolean().check(z.describe('Set up, and Google was reached')),
      selfService: z.boolean().check(z.describe('`/identity` serves passwords, sessions and second factors')),
      mail: z.boolean().check(z.describe('Reset links come by mail, not from an administrator')),
      adminSecondFactor: z.enum(SECOND_FACTOR_RULES),
      firebase: z.optional(firebaseProject.check(z.describe('With `kind` `firebase`; public'))),
    }),
    payments: z.object({
      mode: z.enum(['stripe', 'sandbox']),
      publishableKey: z
        .string()
        .check(z.describe('Sandbox: `pk_test_sandbox`, as bearer or form field `key`')),
      scriptUrl: z.nullable(z.string()),
    }),
    images: z.object({
      maxBytes: z.int(),
      types: z.array(z.string()),
      widths: z.array(z.int()).check(z.describe('Pixels; empty when each picture has one file')),
    }),
    holdHours: z.nullable(z.number()),
    contactEmail: z.nullable(z.string()),
    timeZone: z.string(),
    currency: z.string().check(z.describe('Of all amounts; ISO 4217')),
    chargesTax: z.boolean(),
    taxPercent: z.optional(z.number()),
    wishes: z.boolean().check(z.describe('Customers can ask for a mail when a part is back')),
    shop: pageShop,
    seller: z.optional(z.object({ name: z.string(), address: z.array(z.string()) })),
  }),
});
export type PageConfig = z.infer<typeof readConfig.answer>;

import * as z from 'zod/mini';
import {
  MAX_ADDRESS,
  MAX_COMPANY,
  MAX_EXEMPT_REASON,
  MAX_LINKDIN,
  MAX_PROFILE_PHONE,
  MAX_PROFILE_TEXT,
  MAX_TAX_NUMBER,
} from '../calls/bounds.ts';
import { defineCall } from '../calls/call.ts';
import { pagingFields, searchField } from '../calls/paging.ts';
import { policies, ROLES } from '../calls/policies.ts';
import { reviewSchema } from '../products/reviews.ts';
import { COUNTRIES } from '../text/countries.ts';
import { explainTaxNumber } from '../text/tax-number.ts';
import { emailParam, instant, text } from '../text/text.ts';

/** A customer's; the shop's rate decides between `standard` and `zero`. */
export const CUSTOMER_TAXES = ['standard', 'exempt', 'reverse'] as const;
export type CustomerTax = (typeof CUSTOMER_TAXES)[number];

const untaxedSchema = z.object({ tax: z.enum(['exempt', 'reverse']), reason: z.string() });

export const userSchema = z.object({
  _id: z.string(),
  name: z.string(),
  email: z.string(),
  role: z.enum(ROLES),
  education: z.string(),
  location: z.string(),
  phone: z.string(),
  linkdin: z.string(),
  createdAt: instant,
  updatedAt: instant,
  company: z.optional(z.string()),
  taxNumber: z.optional(z.string()),
  billingAddress: z.optional(z.string()),
  country: z.optional(z.string().check(z.describe('ISO 3166-1 alpha-2'))),
  passwordAskedAt: z.optional(
    instant.check(z.describe('Forgot the password, and waits for an administrator to give a link')),
  ),
  untaxed: z.optional(
    untaxedSchema.check(z.describe('By decision of an administrator, prices and papers have no tax')),
  ),
  taxToCheck: z.optional(
    untaxedSchema.check(
      z.describe(
        '`untaxed` before company, tax number or country changed; an administrator confirms it again',
      ),
    ),
  ),
});
/** Unset profile fields are empty texts. */
export type User = z.infer<typeof userSchema>;

/** No credentials before the host: `https://linkedin.com@evil.example` looks like LinkedIn. */
const webAddress = /^https?:\/\/[^\s/?#@\\]+(?:[/?#]\S*)?$/iu;

const linkdinField = text({ max: MAX_LINKDIN })
  .check(
    z.refine(
      (value) => value === '' || webAddress.test(value),
      'Must be a link that begins with http:// or https://',
    ),
  )
  .register(z.globalRegistry, { maxLength: MAX_LINKDIN, description: 'An http(s) URL, or empty' });

const unknownCountry = 'Must be a country of two letters, such as GB';
const countryField = text({ max: 2 })
  .check(
    z.toUpperCase(),
    z.refine((value) => value === '' || COUNTRIES.includes(value), unknownCountry),
  )
  .register(z.globalRegistry, { maxLength: 2, description: 'ISO 3166-1 alpha-2, or empty' });

/** As typed with spaces, dots or hyphens it is the same number. */
const taxNumberField = text({ max: MAX_TAX_NUMBER }).check(
  z.overwrite((value) => value.replace(/[\s.\p{Pd}]/gu, '').toUpperCase()),
  z.refine((value) => explainTaxNumber(value) === null, {
    error: ({ input }) => explainTaxNumber(String(input)) ?? '',
  }),
);

/** Absent fields stay; empty texts clear (docs/reference/calls.md, "PUT /user/update/{email}"). */
export const profileSchema = z.object({
  education: z.optional(text({ max: MAX_PROFILE_TEXT })),
  location: z.optional(text({ max: MAX_PROFILE_TEXT })),
  phone: z.optional(text({ max: MAX_PROFILE_PHONE })),
  linkdin: z.optional(linkdinField),
  company: z.optional(text({ max: MAX_COMPANY })),
  taxNumber: z.optional(taxNumberField),
  billingAddress: z.optional(text({ max: MAX_ADDRESS, lines: true })),
  country: z.optional(countryField),
});
export type Profile = z.infer<typeof profileSchema>;

/** A number as phone, as in an order. */
const profileRequestSchema = z.extend(profileSchema, {
  phone: z.optional(
    z.pipe(
      z.union([z.string(), z.number()], 'Must be a text or a number'),
      z.pipe(
        z.transform((value: string | number) => String(value)),
        text({ max: MAX_PROFILE_PHONE }),
      ),
    ),
  ),
});

export const listUsers = defineCall({
  method: 'GET',
  path: '/user',
  tag: 'Users',
  policy: policies.listUsers,
  summary: 'List users',
  description:
    'Newest first. `q` searches name and email; `role` is the present one. `asked=true` keeps those who forgot the password within a week and wait for a link (`POST /user/{email}/reset-link`), where the shop has no mail server.',
  query: z.object({
    ...pagingFields,
    q: searchField,
    role: z.optional(z.enum(ROLES, 'Must be admin or user')),
    asked: z.optional(z.enum(['true', 'false'], 'Must be true or false')),
  }),
  answer: z.array(userSchema),
  paged: 'rows',
});

export const readUser = defineCall({
  method: 'GET',
  path: '/user/:email',
  tag: 'Users',
  policy: policies.readUser,
  summary: 'Read a profile',
  params: z.object({ email: emailParam }),
  answer: userSchema,
  problems: ['not-yours', 'not-found'],
});

export const userSummarySchema = z.object({
  orders: z.int(),
  paid: z.number(),
  waiting: z.number(),
  unpaid: z.number(),
  refunded: z.number(),
  reviews: z.array(reviewSchema),
  lastSeen: z.optional(instant),
});
export type UserSummary = z.infer<typeof userSummarySchema>;

export const readUserSummary = defineCall({
  method: 'GET',
  path: '/user/:email/summary',
  tag: 'Users',
  policy: policies.readUserSummary,
  summary: 'A customer in figures',
  description:
    "The number of open orders, and in the shop's currency what of them is paid and accepted, waits for acceptance or is unpaid; refunds of all orders; reviews; the last sign-in, order or review, if known.",
  params: z.object({ email: emailParam }),
  answer: userSummarySchema,
  problems: ['not-found'],
});

export const deleteUser = defineCall({
  method: 'DELETE',
  path: '/user/:email',
  tag: 'Users',
  policy: policies.deleteUser,
  summary: 'Remove a user, or oneself',
  description:
    'Never an administrator. Signs the person out everywhere at once. By an administrator: orders and reviews stay. By the person, signed in within ten minutes and without unpaid orders: erases name, address, profile and reviews, also in orders that were never paid; paid orders stay by law. A concurrent order is placed first, or refused (401).',
  params: z.object({ email: emailParam }),
  answer: z.object({ deletedCount: z.int() }),
  problems: ['not-yours', 'sign-in-again', 'not-found', 'user-is-admin', 'unpaid-orders'],
});

const reasonField = text({ min: 1, max: MAX_EXEMPT_REASON, required: 'Say why no tax is charged' });

export const changeRole = defineCall({
  method: 'PUT',
  path: '/user/admin/:email',
  tag: 'Users',
  policy: policies.changeRole,
  summary: 'Make a user an administrator, or an administrator a user',
  description: 'Repeatable. The last administrator stays one, also when two demote each other at once.',
  params: z.object({ email: emailParam }),
  body: z.object({ role: z.enum(ROLES, 'Must be admin or user') }),
  answer: z.object({
    result: z.object({ acknowledged: z.boolean(), matchedCount: z.int(), modifiedCount: z.int() }),
  }),
  problems: ['not-found', 'last-admin'],
});

export const changeTax = defineCall({
  method: 'PUT',
  path: '/user/tax/:email',
  tag: 'Users',
  policy: policies.changeTax,
  summary: 'Charge a customer tax, or none',
  description:
    "Counts for orders placed from now on: without tax, the customer pays the net price. `exempt` and `reverse` (reverse charge) need a reason, which the customer sees. `reverse` is refused (422, `taxNumber` or `country`) unless the profile has a tax number and a country other than the seller's. Repeatable.",
  params: z.object({ email: emailParam }),
  body: z.discriminatedUnion(
    'tax',
    [
      z.object({ tax: z.literal('standard') }),
      z.object({ tax: z.enum(['exempt', 'reverse']), reason: reasonField }),
    ],
    `Must be one of ${CUSTOMER_TAXES.join(', ')}`,
  ),
  answer: z.object({ acknowledged: z.boolean() }),
  problems: ['not-found'],
});

export const updateProfile = defineCall({
  method: 'PUT',
  path: '/user/update/:email',
  tag: 'Users',
  policy: policies.updateProfile,
  summary: "Change one's profile",
  description:
    'Absent fields stay; an empty text clears. Company, tax number, billing address and country are printed on invoices of later orders. The tax number is kept in capitals without spaces, dots and hyphens. Where a customer pays no tax, another company, tax number or country ends that until an administrator confirms it.',
  params: z.object({ email: emailParam }),
  body: profileRequestSchema,
  answer: z.object({ acknowledged: z.boolean() }),
  problems: ['not-yours'],
});

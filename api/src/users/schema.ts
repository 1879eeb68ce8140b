import { ROLES } from '@parts-forge/contract/calls/policies';
import { CUSTOMER_TAXES, type User } from '@parts-forge/contract/people/users';
import { sql } from 'drizzle-orm';
import { boolean, check, index, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { createdAt, instant, updatedAt } from '#src/platform/database/columns.ts';

/** Has another indexed column `search`: name and email, normalised (see `orders`). */
export const users = pgTable(
  'users',
  {
    id: uuid('id').primaryKey(),
    email: text('email').notNull(),
    name: text('name').notNull(),
    role: text('role', { enum: ROLES }).notNull().default('user'),
    education: text('education').notNull().default(''),
    location: text('location').notNull().default(''),
    phone: text('phone').notNull().default(''),
    linkdin: text('linkdin').notNull().default(''),
    company: text('company').notNull().default(''),
    taxNumber: text('tax_number').notNull().default(''),
    billingAddress: text('billing_address').notNull().default(''),
    /** ISO 3166-1 alpha-2, or empty. */
    country: text('country').notNull().default(''),
    tax: text('tax', { enum: CUSTOMER_TAXES }).notNull().default('standard'),
    taxReason: text('tax_reason').notNull().default(''),
    /** What `tax` was before the facts that it was decided for changed. */
    taxToCheck: jsonb('tax_to_check').$type<User['taxToCheck']>(),
    /** Null until the first sign-in of an account created by a command. */
    identityIssuer: text('identity_issuer'),
    identitySubject: text('identity_subject'),
    /** The identity service has verified the address. */
    emailVerified: boolean('email_verified').notNull().default(false),
    /** The person forgot the password and waits for an administrator's link. */
    passwordAskedAt: instant('password_asked_at'),
    createdAt,
    updatedAt,
    deletedAt: instant('deleted_at'),
  },
  (t) => [
    uniqueIndex('users_email').on(sql`lower(${t.email})`).where(sql`${t.deletedAt} is null`),
    uniqueIndex('users_identity').on(t.identityIssuer, t.identitySubject).where(sql`${t.deletedAt} is null`),
    index('users_newest').on(t.createdAt, t.id).where(sql`${t.deletedAt} is null`),
    index('users_password_asked').on(t.passwordAskedAt).where(sql`${t.passwordAskedAt} is not null`),
    check('users_tax', sql`(${t.tax} = 'standard') = (${t.taxReason} = '')`),
    check('users_role', sql`${t.role} in (${sql.raw(ROLES.map((role) => `'${role}'`).join(', '))})`),
  ],
);

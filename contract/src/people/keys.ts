import * as z from 'zod/mini';
import { MAX_KEY_NAME } from '../calls/bounds.ts';
import { defineCall } from '../calls/call.ts';
import { policies, SCOPES, type Scope } from '../calls/policies.ts';
import { idParam, instant, momentField, text } from '../text/text.ts';

const scopeNames = Object.keys(SCOPES) as [Scope, ...Scope[]];
const scopeList = 'Choose one or more scopes, each once';

export const newKeySchema = z.object({
  name: text({ min: 1, max: MAX_KEY_NAME, required: 'Please give the key a name' }),
  scopes: z.array(z.enum(scopeNames, `Must be one of ${scopeNames.join(', ')}`), scopeList).check(
    z.minLength(1, scopeList),
    z.refine((scopes) => new Set(scopes).size === scopes.length, scopeList),
  ),
  expiresAt: z.optional(momentField),
});
export type NewKey = z.output<typeof newKeySchema>;

export const keySchema = z.object({
  _id: z.string(),
  name: z.string(),
  hint: z.string().check(z.describe('The last four characters')),
  scopes: z.array(z.enum(scopeNames)),
  madeBy: z.string(),
  usedAt: z.optional(instant.check(z.describe('To the minute; absent before the first use'))),
  expiresAt: z.optional(instant.check(z.describe('Absent for no end'))),
});
export type Key = z.infer<typeof keySchema>;

export const createKey = defineCall({
  method: 'POST',
  path: '/key',
  tag: 'Users',
  policy: policies.createKey,
  summary: 'Make a key for a program',
  description:
    "A program sends `key` as the bearer in place of an access token. The answer is its only copy. It makes the calls of its scopes for its maker, and never more than the maker may at that moment. Customers can give `orders:read` and `orders:place`. It ends at `expiresAt`, by `DELETE /key/{id}`, with its maker's role or account, and when the password is reset by link. Needs a sign-in within ten minutes.",
  body: newKeySchema,
  answer: z.object({ key: z.string(), data: keySchema }),
  rateLimit: { requests: 30, seconds: 60 },
  problems: ['sign-in-again', 'second-factor-required', 'too-many-keys'],
});

export const listKeys = defineCall({
  method: 'GET',
  path: '/key',
  tag: 'Users',
  policy: policies.listKeys,
  summary: 'List the keys that have not ended',
  description: "Newest first. Administrators see all administrators' keys, customers their own.",
  answer: z.object({ data: z.array(keySchema) }),
  problems: ['second-factor-required'],
});

export const deleteKey = defineCall({
  method: 'DELETE',
  path: '/key/:id',
  tag: 'Users',
  policy: policies.deleteKey,
  summary: 'End a key',
  description: 'Refused everywhere within a second. Any of those that `GET /key` lists.',
  params: z.object({ id: idParam }),
  answer: z.object({ deletedCount: z.int() }),
  problems: ['second-factor-required', 'not-found'],
});

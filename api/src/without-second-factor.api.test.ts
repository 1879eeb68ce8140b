import type { Call } from '@parts-forge/contract/calls/call';
import { calls } from '@parts-forge/contract/calls/calls';
import {
  needsAccessToken,
  type Policy,
  refuseByOwner,
  refuseByRole,
} from '@parts-forge/contract/calls/policies';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Attempts, buildAttempts, type CallName, startShopForAttempts } from '#test/attempts.ts';
import { aProduct, type Person, signedInAs } from '#test/builders.ts';
import { describedOperations } from '#test/described-operations.ts';
import type { Operation } from '#test/hostile-requests.ts';
import type { JsonSchema } from '#test/hostile-values.ts';
import { readCode } from '#test/paying.ts';
import { startShop, type TestShop } from '#test/start-shop.ts';

/** Prepares what the administrators of the guarded shop act on. */
let shop: TestShop;
let guarded: TestShop;
let attempts: Attempts;
let operations: Operation[];
beforeAll(async () => {
  shop = await startShopForAttempts();
  const env = { ADMIN_SECOND_FACTOR: 'required', WEBHOOK_HOSTS: '127.0.0.1' };
  guarded = await startShop({ shareDatabaseWith: shop, env });
  attempts = buildAttempts(shop);
  operations = await describedOperations(guarded.app);
});
afterAll(async () => {
  expect([...shop.errors, ...guarded.errors]).toEqual([]);
  await guarded.close();
  await shop.close();
});

/** What an administrator without the factor is told about another person's things; null for nothing. */
const expectedRefusal = (policy: Policy) =>
  refuseByRole(policy, 'admin', true, true) ?? refuseByOwner(policy, 'admin', false, true);

const cases = Object.entries(calls)
  .map(([name, call]) => ({ name: name as CallName, call: call as Call }))
  .filter(({ call: { policy } }) => needsAccessToken(policy.who) && expectedRefusal(policy) !== null);

type Body = Record<string, unknown>;

/** The required fields alone, then with each other field and each word of a closed list, by JSON Schema. */
function listForms(schema: JsonSchema, valid: Body): Body[] {
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return choices.flatMap((choice) => listForms(choice, valid));
  const { properties = {}, required = [] } = schema;
  const valuesOf = (field: string) => listValues(properties[field] ?? {}, field, valid);
  const base = Object.fromEntries(required.map((field) => [field, valuesOf(field)[0]]));
  const fields = Object.keys(properties);
  return [base, ...fields.flatMap((field) => valuesOf(field).map((value) => ({ ...base, [field]: value })))];
}

function listValues(schema: JsonSchema, field: string, valid: Body): unknown[] {
  const words = schema.enum ?? (schema.const === undefined ? [] : [schema.const]);
  if (words.length > 0) return [...words];
  if (field in valid) return [valid[field]];
  if (schema.anyOf) return schema.anyOf.flatMap((choice) => listValues(choice, field, valid)).slice(0, 1);
  if (schema.type === 'object') return [listForms(schema, valid)[0]];
  if (schema.type === 'array') return [[listValues(schema.items ?? {}, field, valid)[0]]];
  if (schema.type === 'boolean') return [true, false];
  if (schema.type === 'string') return ['2026-11'];
  return [schema.minimum ?? 1];
}

/** Further fields of bodies, by call. */
const known: Partial<Record<CallName, (owner: Person) => Promise<Body>>> = {
  openPayment: async (owner) => {
    const { _id } = await owner.orders(await aProduct(shop));
    return { orders: [_id] };
  },
  createDownload: async (owner) => {
    const { _id, productId } = await owner.orders(await aProduct(shop));
    return { order: _id, orders: [_id], filters: { product: productId }, import: _id };
  },
};

describe('an administrator without the required second factor', () => {
  test.each(cases)('$name is refused in each form of its body', async ({ name, call }) => {
    const owner = await signedInAs(shop, 'user');
    const { token } = await signedInAs(shop, 'admin');
    const { path, body, ...options } = await attempts[name](owner);
    const operation = operations.find(
      (each) => each.method === call.method && each.path === call.path.replaceAll(/:(\w+)/g, '{$1}'),
    );
    const more = (await known[name]?.(owner)) ?? {};
    const schema = typeof body === 'object' && operation?.body;
    const forms = schema ? [body, ...listForms(schema, { ...(body as Body), ...more })] : [body];
    const codes = new Set<string>();
    for (const form of forms) {
      const answer = await guarded.request(path, { method: call.method, token, ...options, body: form });
      // Many acts in one request are refused line by line.
      const done = answer.body?.data?.[0]?.error?.code ?? JSON.stringify(form);
      codes.add(answer.status < 300 ? done : readCode(answer));
    }
    // Some forms contradict themselves, which the schema does not say.
    codes.delete('invalid');
    // No administrator has own names of parts.
    if (name === 'createDownload') codes.delete('customers-only');
    expect([...codes]).toEqual([expectedRefusal(call.policy)]);
  });
});

test('papers of chosen orders are refused in each file type', async () => {
  const owner = await signedInAs(shop, 'user');
  const { token } = await signedInAs(shop, 'admin');
  const { _id } = await owner.orders(await aProduct(shop));
  for (const as of ['pdf', 'zip']) {
    const body = { what: 'invoices', as, orders: [_id] };
    const answer = await guarded.request('/downloads', { method: 'POST', token, body });
    expect(readCode(answer)).toBe('second-factor-required');
  }
});

test('a customer needs no second factor', async () => {
  const { token, email } = await signedInAs(shop, 'user');
  const answer = await guarded.request(`/order?email=${email}`, { token });
  expect(answer.status).toBe(200);
});

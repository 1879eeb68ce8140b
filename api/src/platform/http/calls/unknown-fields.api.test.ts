import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Person, signedInAs } from '#test/builders.ts';
import { describedOperations } from '#test/described-operations.ts';
import { anAccount, fetchIdToken } from '#test/identity.ts';
import { startShop, type TestShop } from '#test/start-shop.ts';

interface Shape {
  type?: string;
  const?: unknown;
  enum?: unknown[];
  properties?: Record<string, Shape>;
  additionalProperties?: unknown;
  items?: Shape;
  anyOf?: Shape[];
  oneOf?: Shape[];
}

const shop: TestShop = await startShop();
const operations = await describedOperations(shop.app);
let tokens: Record<'admin' | 'user' | 'identity', string>;
let account: { email: string };
let customer: Person;
beforeAll(async () => {
  const registered = await anAccount(shop);
  account = registered;
  customer = await signedInAs(shop, 'user');
  const { token } = await signedInAs(shop, 'admin');
  tokens = { admin: token, user: customer.token, identity: await fetchIdToken(shop, registered) };
});
afterAll(async () => {
  expect(shop.errors).toEqual([]);
  await shop.close();
});

const SURPLUS = 'surplus';

/** A value of the shape for each alternative. */
function examples(shape: Shape): unknown[] {
  const alternatives = shape.anyOf ?? shape.oneOf;
  if (alternatives) return alternatives.flatMap(examples);
  if (shape.const !== undefined) return [shape.const];
  if (shape.enum) return [shape.enum[0]];
  if (shape.items) return examples(shape.items).map((item) => [item]);
  if (!shape.properties) return [shape.type === 'number' || shape.type === 'integer' ? 1 : 'text'];
  const fields = Object.entries(shape.properties).map(([name, field]) => [name, examples(field)] as const);
  const most = Math.max(1, ...fields.map(([, values]) => values.length));
  return Array.from({ length: most }, (_, index) =>
    Object.fromEntries(fields.map(([name, values]) => [name, values[index % values.length]])),
  );
}

/** Copies of the value, each with one field too many, with that field's path. */
function withSurplus(value: unknown, path: string[] = []): { path: string; value: unknown }[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.entries(value).flatMap(([key, field]) =>
    withSurplus(field, [...path, key]).map((copy) => ({
      path: copy.path,
      value: Array.isArray(value) ? [copy.value] : { ...value, [key]: copy.value },
    })),
  );
  if (Array.isArray(value)) return inner;
  return [{ path: [...path, SURPLUS].join('.'), value: { ...value, [SURPLUS]: 1 } }, ...inner];
}

const listObjects = (shape: Shape, path: string): [string, unknown][] => [
  ...(shape.type === 'object' ? [[path, shape.additionalProperties] as [string, unknown]] : []),
  ...Object.entries(shape.properties ?? {}).flatMap(([name, field]) => listObjects(field, `${path}.${name}`)),
  ...(shape.items ? listObjects(shape.items, `${path}[]`) : []),
  ...[...(shape.anyOf ?? []), ...(shape.oneOf ?? [])].flatMap((option) => listObjects(option, path)),
];

const send = (path: string, method: string, body: unknown, query = '') => {
  const token = path.startsWith('/user/{email}')
    ? method === 'PUT' && path === '/user/{email}'
      ? tokens.identity
      : tokens.user
    : tokens.admin;
  const address = path
    .replace('{email}', path === '/user/{email}' ? account.email : customer.email)
    .replace(/\{\w+\}/g, randomUUID());
  const headers = { 'if-match': '"1"', 'idempotency-key': randomUUID() };
  const ask = (bearer: string) => shop.request(address + query, { method, token: bearer, body, headers });
  return ask(token).then((answer) =>
    answer.status === 403 ? ask(token === tokens.user ? tokens.admin : tokens.user) : answer,
  );
};

const bodies = operations.filter(
  ({ body, security, contentType }) =>
    body !== null && security !== 'stripeSignature' && contentType === 'application/json',
);

describe('unknown field', () => {
  test('every object that a call takes is described as closed', () => {
    expect(bodies.length).toBeGreaterThan(20);
    const open = bodies
      .flatMap(({ method, path, body }) => listObjects(body as Shape, `${method} ${path}`))
      .filter(([, additional]) => additional !== false);
    // The specification's client sends the whole order.
    expect(open.map(([path]) => path)).toEqual(['PUT /order/{id}.order']);
  });

  test.each(bodies.map((operation) => [`${operation.method} ${operation.path}`, operation] as const))(
    '%s refuses a field too many, at every level',
    async (_, { method, path, body }) => {
      const cases = examples(body as Shape)
        .flatMap((example) => withSurplus(example))
        .filter((sent) => !sent.path.startsWith(`order.`));
      expect(cases.length).toBeGreaterThan(0);
      for (const sent of cases) {
        const answer = await send(path, method, sent.value);
        expect([answer.status, answer.body.type], sent.path).toEqual([
          422,
          'urn:parts-forge:problem:invalid',
        ]);
        expect(answer.body.errors[0], sent.path).toEqual({
          path: sent.path,
          message: `Unknown field \`${SURPLUS}\``,
        });
      }
    },
  );

  test('a call that takes no body refuses its fields', async () => {
    const clear = (body: object) => customer.delete('/batch', body);
    expect((await clear({ productId: 'x' })).body.detail).toBe('Unknown field `productId`');
    expect((await clear({})).status).toBe(200);
  });

  test('a misspelled field of a refund names the known one', async () => {
    const refund = (body: object) => send('/order/{id}/refund', 'POST', body);
    expect((await refund({ quantiy: 25, returnStock: false })).body).toMatchObject({
      detail: 'Unknown field `quantiy`, did you mean `quantity`?',
      errors: [{ path: 'quantiy' }],
    });
    expect((await refund({ returnStok: false })).body.detail).toBe(
      'Unknown field `returnStok`, did you mean `returnStock`?',
    );
  });

  test('a body of thousands of unknown fields gets a short answer', async () => {
    const fields = Array.from({ length: 5_000 }, (_, index) => [`f${index}`, 1]);
    const one = await send('/order/{id}/refund', 'POST', Object.fromEntries(fields));
    expect([one.status, one.body.errors.length]).toEqual([422, 21]);
    const long = await send('/order/{id}/refund', 'POST', { ['x'.repeat(60_000)]: 1, returnStock: true });
    expect(JSON.stringify(long.body).length).toBeLessThan(500);
    const parcels = Array.from({ length: 500 }, () => ({
      order: '',
      carrier: '',
      number: '',
      sentAt: '',
      a: 1,
    }));
    const many = await send('/shipment/bulk', 'POST', { parcels });
    expect([many.status, many.body.errors.length]).toEqual([422, 20]);
  });
});

test('every call refuses a query parameter that it does not know', async () => {
  const ofShop = operations.filter(({ security }) => !/stripeSignature|uploadKey/.test(security ?? ''));
  expect(ofShop.length).toBeGreaterThan(70);
  for (const { method, path } of ofShop) {
    const { status, body } = await send(path, method, undefined, '?surplus=x');
    expect([status, body.errors?.[0].path], `${method} ${path}`).toEqual([422, SURPLUS]);
  }
});

import { identityServiceCalls } from '@parts-forge/contract/people/identity-service';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signedInAs } from '#test/builders.ts';
import { describedOperations } from '#test/described-operations.ts';
import { choose, printSeed } from '#test/full-size.ts';
import { json } from '#test/hostile-requests.ts';
import type { JsonSchema } from '#test/hostile-values.ts';
import { startShop, type TestShop } from '#test/start-shop.ts';

const shop: TestShop = await startShop();
const operations = await describedOperations(shop.app);
let tokens: string[];
beforeAll(async () => {
  printSeed();
  tokens = [(await signedInAs(shop, 'user')).token, (await signedInAs(shop, 'admin')).token];
});
afterAll(() => shop.close());

/** Characters of a hostile text: below the 64 KiB of a body. */
const LENGTH = 60_000;
/** Characters of a parameter: percent-encoded below the 16 KiB of a request's head. */
const QUERY_LENGTH = 4_000;
/** Processor time (ms) of one request; a busy machine does not change it. */
const MAX_PROCESSOR_MS = 1_000;

/** Texts of `length` bytes that are known to make expressions and normalization backtrack. */
const shapes = (length: number): string[] => [
  `a@${'.'.repeat(length)}@`,
  `${'a.'.repeat(length / 2)}@`,
  `${'a@'.repeat(length / 2)}`,
  `x${' '.repeat(length)}x`,
  `${'- '.repeat(length / 2)}!`,
  `${'1'.repeat(length)}!`,
  `${'1,'.repeat(length / 2)}x`,
  `${'"'.repeat(length / 2)}x`,
  `a${'\u0301\u0323'.repeat(length / 4)}`,
  `${'\n'.repeat(length / 2)}x`,
];

let turn = 0;
/** Each field takes the next two shapes, so that a rule of many fields meets them all. */
const nextShapes = (length: number) => choose(shapes(length), 2, turn++);

/** Skips the comparison with the OpenAPI document, whose message would contain the text. */
const send = (where: string, method: string, token = '', body?: unknown) =>
  fetch(shop.url + where, {
    method,
    headers: {
      ...(token !== '' && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': json }),
      origin: shop.url,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });

async function measure(ask: () => Promise<{ status: number }>): Promise<{ ms: number; status: number }> {
  const begun = process.cpuUsage();
  const { status } = await ask();
  const { user, system } = process.cpuUsage(begun);
  return { ms: (user + system) / 1000, status };
}

/** Paths to every text of a schema, through objects and the first item of lists. */
function listTexts(schema: JsonSchema, path: string[] = []): string[][] {
  if (schema.properties) {
    return Object.entries(schema.properties).flatMap(([name, inner]) => listTexts(inner, [...path, name]));
  }
  if (schema.items) return listTexts(schema.items, [...path, '0']);
  return path.length > 0 ? [path] : [];
}

/** The value at the path's end, within objects and lists of one. */
const nest = ([name, ...rest]: string[], value: string): unknown => {
  if (name === undefined) return value;
  const inner = nest(rest, value);
  return name === '0' ? [inner] : { [name]: inner };
};

describe('text of 60,000 characters', () => {
  const bodies = operations.filter(({ body, contentType }) => body && contentType === json);
  test.each(bodies.map((each) => ({ name: `${each.method} ${each.path}`, ...each })))(
    '$name takes less than a second',
    async ({ method, path, body }) => {
      const where = path.replace(/\{[^}]+\}/g, 'x');
      const texts = listTexts(body ?? {});
      for (const names of texts.length > 0 ? texts : [['text']]) {
        for (const text of nextShapes(LENGTH)) {
          for (const token of tokens) {
            const { ms, status } = await measure(() => send(where, method, token, nest(names, text)));
            expect(status, `${names} ${text.slice(0, 8)}`).toBeLessThan(500);
            expect(ms, `${names} ${text.slice(0, 8)}`).toBeLessThan(MAX_PROCESSOR_MS);
          }
        }
      }
    },
  );

  const queries = operations.flatMap(({ method, path, parameters }) =>
    parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => ({ method, path, name })),
  );
  test.each(queries)('$method $path?$name takes less than a second', async ({ method, path, name }) => {
    // A stream of events never ends.
    if (path === '/live') return;
    for (const text of nextShapes(QUERY_LENGTH)) {
      const where = `${path.replace(/\{[^}]+\}/g, 'x')}?${name}=${encodeURIComponent(text)}`;
      for (const token of tokens) {
        const { ms } = await measure(() => send(where, method, token));
        expect(ms, text.slice(0, 8)).toBeLessThan(MAX_PROCESSOR_MS);
      }
    }
  });

  test.each(Object.values(identityServiceCalls))('$path takes less than a second', async ({ path }) => {
    for (const name of [
      'email',
      'password',
      'name',
      'newPassword',
      'currentPassword',
      'token',
      'callbackURL',
      'code',
    ]) {
      for (const text of nextShapes(LENGTH)) {
        const { ms } = await measure(() =>
          send(path, 'POST', '', {
            email: 'a@fieldrepair.example',
            password: 'secret-1',
            name: 'A',
            [name]: text,
          }),
        );
        expect(ms, `${name} ${text.slice(0, 8)}`).toBeLessThan(MAX_PROCESSOR_MS);
      }
    }
  });
});

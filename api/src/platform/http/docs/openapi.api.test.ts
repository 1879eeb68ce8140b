import { calls } from '@parts-forge/contract/calls/calls';
import { EVENT_TYPES } from '@parts-forge/contract/events/event-types';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { useShop } from '#test/use-shop.ts';

let document: {
  openapi: string;
  paths: Record<string, Record<string, { responses: object; security: object[] }>>;
  // biome-ignore lint/suspicious/noExplicitAny: what the wire gave.
  webhooks: Record<string, { post: { requestBody: any } }>;
};

const shop = useShop();
beforeAll(async () => {
  document = (await shop.request('/openapi.json')).body;
});

test("the document describes every call of the contract's table", () => {
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(document.openapi).toMatch(/^3\.1/);
  const addresses = Object.values(calls).map(({ method, path }) => `${method} ${path}`);
  expect(described.sort()).toEqual(addresses.map((address) => address.replace(/:(\w+)/g, '{$1}')).sort());
});

test('the document has what a webhook receives, by type', () => {
  const { webhooks } = document;
  expect(Object.keys(webhooks).sort()).toEqual([...EVENT_TYPES, 'test'].sort());
  const { schema } = webhooks['part.created']?.post.requestBody.content['application/json'] ?? {};
  expect(schema.properties.type).toMatchObject({ const: 'part.created' });
  expect(Object.keys(schema.properties.data.properties.after.properties)).toEqual([
    ...['price', 'quantity', 'minimumOrder'],
  ]);
});

test('every guarded call documents its 401 and how to sign in', () => {
  for (const methods of Object.values(document.paths)) {
    for (const { responses, security } of Object.values(methods)) {
      if (security.some((scheme) => 'accessToken' in scheme)) expect(Object.keys(responses)).toContain('401');
      expect(Object.keys(responses)).toEqual(expect.arrayContaining(['429', '500', '503']));
    }
  }
});

test('an OpenAPI linter finds no fault', async () => {
  const config = await createConfig({
    extends: ['recommended'],
    // The specification's `/order/accept/{id}` resembles `/order/{id}/refund` only in form: `accept` is
    // no id.
    rules: { 'no-ambiguous-paths': 'off' },
  });
  const found = await lintFromString({ source: JSON.stringify(document), config });
  expect(found.map(({ message, location }) => [message, location[0]?.pointer])).toEqual([]);
});

describe('/docs', () => {
  test('/docs shows the calls as a page', async () => {
    const page = await shop.request('/docs', { headers: { accept: 'text/html' } });
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.body).toContain('swagger-ui');
    expect(page.headers.get('content-security-policy')).toContain("style-src 'self' 'unsafe-inline'");
    expect(page.headers.get('cache-control')).toBe('no-store');
  });

  test("/docs has its page's files, which browsers cache", async () => {
    const { body } = await shop.request('/docs');
    const files = [...String(body).matchAll(/(?:src|href)="(\/docs\/[^"]+)"/g)].map(([, path = '']) => path);
    expect(files).toEqual(
      expect.arrayContaining(['/docs/static/theme/docs.css', '/docs/static/theme/docs.js']),
    );
    for (const path of files) expect((await shop.request(path)).status, path).toBe(200);
    const { headers } = await shop.request('/docs/static/swagger-ui.css');
    expect(headers.get('cache-control')).toBe('no-cache');
    const again = await shop.request('/docs/static/swagger-ui.css', {
      headers: { 'if-none-match': headers.get('etag') ?? '' },
    });
    expect(again.status).toBe(304);
  });

  test('/docs has the same document as /openapi.json', async () => {
    expect((await shop.request('/docs/json')).body).toEqual(document);
  });

  test('an unknown path below /docs is 404', async () => {
    const missing = await shop.request('/docs/static/nothing-here');
    expect(missing.status).toBe(404);
    expect(missing.body).toMatchObject({ type: expect.stringMatching(/not-found$/) });
  });
});

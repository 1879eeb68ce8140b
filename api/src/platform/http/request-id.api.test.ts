import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { useShop } from '#test/use-shop.ts';

const shop = useShop();

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test('every response has a unique id, even a refusal or missing page', async () => {
  const paths = [
    '/product',
    '/config',
    '/order',
    '/nothing',
    '/healthz',
    '/openapi.json',
    '/%zz',
    '/robots.txt',
  ];
  const answers = await Promise.all([...paths, ...paths].map((path) => shop.request(path)));
  const ids = answers.map(({ headers }) => headers.get('x-request-id'));
  for (const id of ids) expect(id).toMatch(uuid);
  expect(new Set(ids).size).toBe(ids.length);
});

test('a failure of the shop gives its id to customer and log', async () => {
  // A folder in place of the picture's file: present but unreadable.
  const name = `${'f'.repeat(64)}-640.webp`;
  mkdirSync(join(shop.config.dataDir, 'images', name), { recursive: true });
  const { status, headers, body } = await shop.request(`/images/${name}`);
  expect([status, body.type]).toEqual([500, 'urn:parts-forge:problem:internal']);
  expect(body.requestId).toBe(headers.get('x-request-id'));
  shop.expectErrors([
    expect.objectContaining({ requestId: body.requestId, err: expect.objectContaining({ code: 'EISDIR' }) }),
  ]);
  expect((await shop.request(`/images/${'0'.repeat(64)}-640.webp`)).status).toBe(404);
});

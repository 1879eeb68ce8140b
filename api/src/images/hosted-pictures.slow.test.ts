import sharp from 'sharp';
import { expect, test } from 'vitest';
import { startHostedService } from '#test/picture-hosts.ts';
import { prepared, usePerson, useShop } from '#test/use-shop.ts';

const lines: string[] = [];
let width = 50;

const service = prepared(startHostedService, (started) => started.close());
const shop = useShop(() => ({ env: service.env, onLine: (line) => lines.push(line) }));
const admin = usePerson(shop, 'admin');

/** Sends a new picture, or the last one with `again`. */
async function send(again = false) {
  if (!again) width += 1;
  const { body } = await admin.post('/images/key');
  const bytes = await sharp({ create: { width, height: 40, channels: 3, background: '#c96730' } })
    .png()
    .toBuffer();
  const form = new FormData();
  form.set('image', new Blob([new Uint8Array(bytes)], { type: 'image/png' }), 'part.png');
  return shop.request(`${body.url}?key=${body.key}`, { method: 'POST', body: form });
}

const answerWith = (url: unknown) => ({ status: 200, body: JSON.stringify({ data: { url } }) });

test.each([
  ['an address of another origin', answerWith('https://elsewhere.example/a.webp')],
  ['an address that runs', answerWith('javascript:alert(1)')],
  ['a path', answerWith('/images/a.webp')],
  ['an address with a password', answerWith('http://a:b@127.0.0.1/a.webp')],
  ['an address without end', answerWith(`http://127.0.0.1/${'a'.repeat(3000)}`)],
  ['no address', answerWith(null)],
  ['something else than JSON', { status: 200, body: '<html>' }],
  ['very much', { status: 200, body: ' '.repeat(100_000) }],
  ['a failure', { status: 500, body: 'oh no' }],
])('a service that answers %s gives the shop no picture', async (_what, answer) => {
  service.answerWith(answer);
  const { status, body, headers } = await send();
  expect([status, headers.get('retry-after')]).toEqual([503, expect.any(String)]);
  expect(JSON.stringify(body)).not.toMatch(/elsewhere|javascript|oh no/);
  shop.expectErrors(1);
  service.answerWith(null);
  expect((await send(true)).status).toBe(200);
});

test('a picture that the service lost is posted again', async () => {
  const first = await send();
  expect((await send(true)).body).toEqual(first.body);
  service.lose();
  const again = await send(true);
  expect(again.body.data.url).not.toBe(first.body.data.url);
  expect((await fetch(again.body.data.url)).status).toBe(200);
});

test("the log shows the service's reason without the key", async () => {
  const refuse = (message: string) =>
    service.answerWith({ status: 400, body: JSON.stringify({ error: { code: 100, message } }) });
  refuse('Invalid API v1 key.');
  expect((await send()).status).toBe(503);
  expect(lines.join()).toContain('the image service answered 400 (100): Invalid API v1 key.');
  lines.length = 0;
  refuse(`Unknown: ${service.env.IMAGE_HOST_KEY}`);
  expect((await send()).status).toBe(503);
  expect(lines.join()).toContain('the image service answered 400 (100)');
  expect(lines.join()).not.toContain('Unknown');
  service.answerWith(null);
  shop.expectErrors(2);
});

test("responses and logs never contain the service's key", async () => {
  const { body } = await admin.post('/images/key');
  const key = String(service.env.IMAGE_HOST_KEY);
  for (const text of [JSON.stringify(body), ...lines]) {
    expect(text).not.toContain(key);
    expect(text).not.toContain(encodeURIComponent(key));
  }
});

import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, expect, test, vi } from 'vitest';
import { signedInAs } from '#test/builders.ts';
import { usePerson, useShop } from '#test/use-shop.ts';

/** Sends all requests through one connection, one after the other. */
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

const shop = useShop();
const admin = usePerson(shop, 'admin');
afterAll(() => agent.destroy());

async function send(path: string, method: string, form?: { type: string; body: Buffer }): Promise<number> {
  const headers = form && { 'content-type': form.type, 'content-length': form.body.length };
  const sent = request(shop.url + path, { agent, method, headers }).end(form?.body);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  await text(answer);
  return answer.statusCode ?? 0;
}

async function upload(type: string): Promise<number> {
  const { body } = await admin.post('/images/key');
  const head = `Content-Disposition: form-data; name="image"; filename="part"\r\nContent-Type: ${type}`;
  return send(`${body.url}?key=${body.key}`, 'POST', {
    type: 'multipart/form-data; boundary=part',
    body: Buffer.concat([
      Buffer.from(`--part\r\n${head}\r\n\r\n`),
      Buffer.alloc(5_000_000),
      Buffer.from('\r\n--part--'),
    ]),
  });
}

test('a picture is refused when its uploader loses the role meanwhile', async () => {
  const leaver = await signedInAs(shop, 'admin');
  const { body } = await leaver.post('/images/key');
  const form = Buffer.from(
    '--part\r\nContent-Disposition: form-data; name="image"; filename="part"\r\nContent-Type: image/png\r\n\r\nno picture\r\n--part--',
  );
  const sent = request(`${shop.url}${body.url}?key=${body.key}`, {
    method: 'POST',
    headers: {
      'content-type': 'multipart/form-data; boundary=part',
      'content-length': form.length,
      expect: '100-continue',
    },
  });
  // The server asks for the body before it checks the key, and the picture waits for its end.
  await once(sent, 'continue');
  sent.write(form.subarray(0, -1));
  const demotion = await admin.put(`/user/admin/${leaver.email}`, { role: 'user' });
  expect(demotion.status).toBe(200);
  sent.end(form.subarray(-1));
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  expect([answer.statusCode, JSON.parse(await text(answer)).type]).toEqual([
    401,
    'urn:parts-forge:problem:sign-in-needed',
  ]);
});

/** Half of the minute after which a stalled upload's connection is closed. */
const atOnce = { timeout: 30_000 };

test('a connection stays usable after an upload of a wrong kind', atOnce, async () => {
  expect(await upload('text/plain')).toBe(415);
  expect(await send('/product', 'GET')).toBe(200);
});

test('a connection stays usable after an upload fails to write', atOnce, async () => {
  vi.stubEnv('TMPDIR', '/nowhere');
  try {
    expect(await upload('image/png')).toBe(503);
    shop.expectErrors([{ code: 'unavailable' }]);
  } finally {
    vi.unstubAllEnvs();
  }
  expect(await send('/product', 'GET')).toBe(200);
});

import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { Agent, type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { signedInAs } from '#test/builders.ts';
import { drawPicture, openUpload, sendPicture } from '#test/pictures.ts';
import { startForTest, usePerson, useShop } from '#test/use-shop.ts';

/** Of this file alone: other test files upload at the same time. */
let folder: string;

const shop = useShop();
const admin = usePerson(shop, 'admin');
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'uploads-'));
  vi.stubEnv('TMPDIR', folder);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

const upload = async (bytes: Uint8Array) => (await sendPicture(shop, admin, bytes)).status;

test('no upload leaves a temporary file', async () => {
  const picture = await drawPicture(30, 20);
  expect([await upload(picture), await upload(picture), await upload(Buffer.from('no picture'))]).toEqual([
    200, 200, 422,
  ]);
  await expect.poll(() => readdir(folder), { timeout: 10_000 }).toEqual([]);

  const leaving = new AbortController();
  const head = '--part\r\nContent-Disposition: form-data; name="image"; filename="part.png"\r\n';
  const type = 'Content-Type: image/png\r\n\r\n';
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(Buffer.from(`${head}${type}${'half'.repeat(10_000)}`)),
  });
  // Missing in the browser's fetch types; Node needs it for a streamed body.
  const asItComes: RequestInit & { duplex: 'half' } = {
    method: 'POST',
    headers: { 'content-type': 'multipart/form-data; boundary=part' },
    body,
    duplex: 'half',
    signal: leaving.signal,
  };
  const answer = fetch(shop.url + (await openUpload(shop, admin)), asItComes);
  await expect.poll(() => readdir(folder), { timeout: 10_000 }).toHaveLength(1);
  leaving.abort();
  await expect(answer).rejects.toThrow('abort');
  await expect.poll(() => readdir(folder), { timeout: 10_000 }).toEqual([]);
});

test('a start deletes only the leftovers of killed processes', async () => {
  const gone = spawn(process.execPath, ['--eval', '']);
  await once(gone, 'exit');
  // One in some forty random ids begins like this; it must not pass for a PID.
  const id = randomUUID().replace(/^.{8}/, '07556582');
  const [left, own, others, unknown] = [
    `parts-forge-upload-${gone.pid}-${id}`,
    `parts-forge-upload-${process.pid}-${id}`,
    `parts-forge-upload-${process.ppid}-${id}`,
    `parts-forge-upload-${id}`,
  ];
  for (const name of [left, own, others, unknown]) await writeFile(path.join(folder, name), 'half');
  await startForTest({ shareDatabaseWith: shop });
  expect((await readdir(folder)).sort()).toEqual([others, unknown].sort());
});

/** Sends all requests through one connection, one after the other. */
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
afterAll(() => agent.destroy());

async function sendAlone(
  path: string,
  method: string,
  form?: { type: string; body: Buffer },
): Promise<number> {
  const headers = form && { 'content-type': form.type, 'content-length': form.body.length };
  const sent = request(shop.url + path, { agent, method, headers }).end(form?.body);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  await text(answer);
  return answer.statusCode ?? 0;
}

async function uploadLarge(type: string): Promise<number> {
  const head = `Content-Disposition: form-data; name="image"; filename="part"\r\nContent-Type: ${type}`;
  return sendAlone(await openUpload(shop, admin), 'POST', {
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
  const target = await openUpload(shop, leaver);
  const form = Buffer.from(
    '--part\r\nContent-Disposition: form-data; name="image"; filename="part"\r\nContent-Type: image/png\r\n\r\nno picture\r\n--part--',
  );
  const sent = request(shop.url + target, {
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
  expect(await uploadLarge('text/plain')).toBe(415);
  expect(await sendAlone('/product', 'GET')).toBe(200);
});

test('a connection stays usable after an upload fails to write', atOnce, async () => {
  vi.stubEnv('TMPDIR', '/nowhere');
  try {
    expect(await uploadLarge('image/png')).toBe(503);
    shop.expectErrors([{ code: 'unavailable' }]);
  } finally {
    vi.unstubAllEnvs();
  }
  expect(await sendAlone('/product', 'GET')).toBe(200);
});

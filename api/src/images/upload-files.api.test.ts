import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startShop } from '#test/start-shop.ts';
import { usePerson, useShop } from '#test/use-shop.ts';

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

async function openUpload(): Promise<string> {
  const { body } = await admin.post('/images/key');
  return `${body.url}?key=${body.key}`;
}

async function upload(bytes: Uint8Array): Promise<number> {
  const form = new FormData();
  form.set('image', new Blob([new Uint8Array(bytes)], { type: 'image/png' }), 'part.png');
  const { status } = await shop.request(await openUpload(), { method: 'POST', body: form });
  return status;
}

test('no upload leaves a temporary file', async () => {
  const picture = await sharp({ create: { width: 30, height: 20, channels: 3, background: '#4a8' } })
    .png()
    .toBuffer();
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
  const answer = fetch(shop.url + (await openUpload()), asItComes);
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
  const next = await startShop({ shareDatabaseWith: shop });
  await next.close();
  expect((await readdir(folder)).sort()).toEqual([others, unknown].sort());
});

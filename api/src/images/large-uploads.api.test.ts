import { readdirSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { crc32, deflateSync } from 'node:zlib';
import { receivePaymentEvent } from '@parts-forge/contract/money/payments';
import { eq } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import { images } from '#src/images/schema.ts';
import type { Answer } from '#test/answer.ts';
import { atFullSize } from '#test/full-size.ts';
import { sendFile } from '#test/imports.ts';
import { readCode } from '#test/paying.ts';
import { drawPicture, openUpload, pictureForm, sendPicture } from '#test/pictures.ts';
import { startForTest, usePerson, useShop } from '#test/use-shop.ts';

/** 49 megapixels (two in `npm test`) in less than a megabyte. */
let large: Buffer;
const side = atFullSize(7_000, 1_400);

const shop = useShop();
const admin = usePerson(shop, 'admin');
beforeAll(async () => {
  large = await drawPicture(side, side);
});

/** A black PNG of one grey byte per pixel, built by hand: sharp takes half a minute for the thinnest one. */
function thinPicture(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const typed = Buffer.concat([Buffer.from(type), data]);
    return Buffer.concat([uint32(data.length), typed, uint32(crc32(typed))]);
  };
  const header = Buffer.concat([uint32(width), uint32(height), Buffer.from([8, 0, 0, 0, 0])]);
  const rows = deflateSync(Buffer.alloc(height * (1 + width)), { level: 1 });
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** The same picture with another hash. */
const vary = (bytes: Buffer, number: number) => Buffer.concat([bytes, Buffer.from([number])]);

const send = (bytes: Buffer, to = shop) => sendPicture(to, admin, bytes);

/** Running encoder processes. */
const countEncoders = () =>
  process.getActiveResourcesInfo().filter((resource) => resource === 'ProcessWrap').length;

test('a side above 16,383 pixels is refused for any pixel count', async () => {
  for (const [width, height] of [
    [1, 49_000_000],
    [1, 16_384],
    [16_384, 1],
  ] as const) {
    const { status, body } = await send(thinPicture(width, height));
    expect([status, body.errors], `${width} × ${height}`).toEqual([
      422,
      [
        {
          path: 'image',
          message:
            'Must be a JPEG, PNG, WebP, AVIF or GIF picture of at most 50 megapixels and 16383 pixels on a side',
        },
      ],
    ]);
  }
  expect((await send(thinPicture(1, 16_383))).status).toBe(200);
});

test('two of six large pictures are decoded at a time', async () => {
  const target = await openUpload(shop, admin);
  const uploads = Array.from({ length: 6 }, (_, number) =>
    shop.request(target, { method: 'POST', body: pictureForm(vary(large, number)) }),
  );
  const allAnswers = Promise.all(uploads);
  let isFinished = false;
  allAnswers.then(() => {
    isFinished = true;
  });
  let mostEncoders = 0;
  while (!isFinished) {
    const page = await shop.request('/product');
    expect(page.status).toBe(200);
    mostEncoders = Math.max(mostEncoders, countEncoders());
  }
  expect(mostEncoders).toBe(2);
  // The first two always get a place. The others are refused if the machine takes longer than 20 seconds.
  const refused = (await allAnswers).filter(({ status }) => status !== 200);
  expect(refused.length).toBeLessThanOrEqual(6 - 2);
  for (const answer of refused) expect(busy(answer)).toEqual([503, 'overloaded', '5']);
  // Every 5xx is logged as an error.
  shop.expectErrors(refused.length);
  expect((await send(vary(large, 99))).status).toBe(200);
});

test.runIf(process.platform === 'linux')('all pictures share one core', async () => {
  const answers = Promise.all([send(vary(large, 50)), send(vary(large, 51))]);
  await expect.poll(countEncoders).toBe(2);
  const lastCore = readStatus('self', 'Cpus_allowed_list')?.match(/\d+$/)?.[0];
  const readCores = () =>
    listThreadsOf(listEncoders()).map((thread) => readStatus(thread, 'Cpus_allowed_list'));
  // Including threads of V8 and libuv.
  await expect
    .poll(() => ((cores) => [cores.length > 8, [...new Set(cores)]])(readCores()))
    .toEqual([true, [lastCore]]);
  expect((await answers).map(({ status }) => status)).toEqual([200, 200]);
});

/** PIDs of this process's encoders. */
function listEncoders(): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && readStatus(name, 'PPid') === String(process.pid))
    .filter((id) => readFileSync(`/proc/${id}/cmdline`, 'utf8').includes('encoder-process'));
}

const listThreadsOf = (ids: readonly string[]) =>
  ids.flatMap((id) => readdirSync(`/proc/${id}/task`).map((thread) => `${id}/task/${thread}`));

/** @returns undefined for an ended process or thread */
function readStatus(place: string, name: string): string | undefined {
  try {
    const status = readFileSync(`/proc/${place}/status`, 'utf8');
    return new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(status)?.[1];
  } catch {
    return undefined;
  }
}

test('each of two processes decodes one picture at a time', async () => {
  const half = await startForTest({ env: { WORKERS: '2' }, shareDatabaseWith: shop });
  const medium = await drawPicture(1_000, 1_000);
  let [underWay, mostEncoders] = [3, 0];
  const answers = Array.from({ length: underWay }, async (_, number) => {
    const { status } = await send(vary(medium, number), half);
    underWay -= 1;
    return status;
  });
  while (underWay > 0) {
    expect((await half.request('/product')).status).toBe(200);
    mostEncoders = Math.max(mostEncoders, countEncoders());
  }
  expect(mostEncoders).toBe(1);
  expect(await Promise.all(answers)).toEqual([200, 200, 200]);
});

const busy = (answer: Answer) => [answer.status, readCode(answer), answer.headers.get('retry-after')];

/** Sends only the heads of uploads, until each further one is refused. */
async function occupyPlaces(...uploads: [target: string, type: string][]): Promise<Socket[]> {
  const { port } = new URL(shop.url);
  let refused = 0;
  const sockets = Array.from({ length: 26 }, (_, index) => {
    const [target, type] = uploads[index % uploads.length] ?? [];
    const socket = connect(Number(port), '127.0.0.1').on('error', () => {});
    socket.on('data', (answer) => {
      if (String(answer).includes('503')) refused += 1;
    });
    const head = `Authorization: Bearer ${admin.token}\r\nContent-Type: ${type}\r\nContent-Length: 250000`;
    socket.write(`POST ${target} HTTP/1.1\r\nHost: shop\r\nExpect: 100-continue\r\n${head}\r\n\r\n`);
    return socket;
  });
  await expect.poll(() => refused).toBe(2);
  return sockets;
}

test('stalled pictures and files occupy two dozen places; further get 503', async () => {
  const small = await drawPicture(20, 20);
  const picturePlace = [await openUpload(shop, admin), 'multipart/form-data; boundary=part'] as [
    string,
    string,
  ];
  const begun = await occupyPlaces(picturePlace, ['/product/import', 'text/csv']);
  expect(busy(await send(small))).toEqual([503, 'overloaded', '5']);
  expect(busy(await sendFile(admin, 'number,add'))).toEqual([503, 'overloaded', '5']);
  for (const socket of begun) socket.destroy();
  await expect.poll(async () => (await send(small)).status, { timeout: 60_000 }).toBe(200);
  // The poll may be refused, too.
  shop.expectErrors();
});

test('stalled large payment events leave small ones their way', async () => {
  const { path } = receivePaymentEvent;
  const begun = await occupyPlaces([path, 'application/json']);
  const sendEvent = (length: number) =>
    shop.request(path, { method: 'POST', body: { id: 'e'.repeat(length) } });
  expect(busy(await sendEvent(70_000))).toEqual([503, 'overloaded', '5']);
  expect(readCode(await sendEvent(5))).toBe('bad-signature');
  for (const socket of begun) socket.destroy();
  await expect.poll(async () => readCode(await sendEvent(70_000)), { timeout: 60_000 }).toBe('bad-signature');
  // The poll may be refused, too.
  shop.expectErrors();
});

test('a picture that takes too long is refused and its process ends', async () => {
  // Too short even to load a process.
  const hasty = await startForTest({ env: { PICTURE_TIMEOUT_MS: '100' }, shareDatabaseWith: shop });
  const { status, body } = await send(vary(large, 100), hasty);
  expect([status, body.errors]).toEqual([
    422,
    [{ path: 'image', message: 'This picture takes too long to make smaller. Send a smaller one.' }],
  ]);
  expect(countEncoders()).toBe(0);
  expect((await send(vary(large, 100))).status).toBe(200);
});

test('a disconnect ends the encoding and stores nothing', async () => {
  const target = await openUpload(shop, admin);
  const leaving = new AbortController();
  const answer = fetch(shop.url + target, {
    method: 'POST',
    body: pictureForm(await drawPicture(side - 1, side - 1)),
    signal: leaving.signal,
  });
  await expect.poll(countEncoders, { interval: 2 }).toBe(1);
  leaving.abort();
  await expect(answer).rejects.toThrow('abort');
  await expect.poll(countEncoders).toBe(0);
  const stored = await shop.db
    .select()
    .from(images)
    .where(eq(images.width, side - 1));
  expect(stored).toEqual([]);
  expect((await send(await drawPicture(side - 1, side - 1))).status).toBe(200);
});

import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { type Person, signedInAs } from '#test/builders.ts';
import { aLink, openLink } from '#test/downloads.ts';
import { personAt } from '#test/person.ts';
import type { TestShop } from '#test/start-shop.ts';
import { startForTest, useShop } from '#test/use-shop.ts';

let readers: IncomingMessage[] = [];
const base = useShop();
beforeAll(async () => {
  // A file of 20 MB, more than a connection buffers.
  await base.services.database.pool.query(
    `insert into trail (id, event, topic, actor, request_id, after)
     select gen_random_uuid(), 'role-changed', 'user', 'system', gen_random_uuid(),
       jsonb_build_object('role', repeat('x', 5000))
     from generate_series(1, 4000)`,
  );
});
afterEach(() => {
  for (const reader of readers) reader.destroy();
  readers = [];
});

const open = (env: Record<string, string> = {}) => startForTest({ env, shareDatabaseWith: base });

/** Opens the file and reads only its beginning. */
async function readBeginning(shop: TestShop, link: string): Promise<IncomingMessage> {
  const asked = request(shop.url + link, { agent: false }).end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  readers.push(response);
  response.pause();
  return response;
}

const aLongFile = (shop: TestShop, admin: Person) => aLink(personAt(shop, admin), { what: 'activity' });
/** A link of another person. */
const aShortFile = async (shop: TestShop) =>
  aLink(personAt(shop, await signedInAs(base, 'user')), { what: 'orders' });

test('a person has two files at a time and can retry later', async () => {
  const shop = await open();
  const slow = await signedInAs(base, 'admin');
  for (let files = 0; files < 2; files += 1) {
    expect((await readBeginning(shop, await aLongFile(shop, slow))).statusCode).toBe(200);
  }
  const third = await aLongFile(shop, slow);
  const refused = await openLink(shop, third);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '10']);
  expect(JSON.parse(refused.bytes.toString()).type).toBe('urn:parts-forge:problem:too-many');

  expect((await openLink(shop, await aShortFile(shop))).status).toBe(200);

  readers[0]?.destroy();
  await expect.poll(async () => (await readBeginning(shop, third)).statusCode).toBe(200);
});

test('the shop sends eight files at a time', async () => {
  const shop = await open();
  const admins = await Promise.all(Array.from({ length: 4 }, () => signedInAs(base, 'admin')));
  for (const admin of [...admins, ...admins]) {
    expect((await readBeginning(shop, await aLongFile(shop, admin))).statusCode).toBe(200);
  }
  const refused = await openLink(shop, await aShortFile(shop));
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '10']);
  shop.expectErrors(1);
});

test('a slow download is cut off at its timeout', async () => {
  const shop = await open({ DOWNLOAD_TIMEOUT_MS: '1500', RESPONSE_TIMEOUT_MS: '600000' });
  const slow = await signedInAs(base, 'admin');
  const readers = [await readBeginning(shop, await aLongFile(shop, slow))];
  readers.push(await readBeginning(shop, await aLongFile(shop, slow)));
  const next = await aLongFile(shop, slow);
  await expect.poll(async () => (await readBeginning(shop, next)).statusCode, { timeout: 30_000 }).toBe(200);
  const lost = readers.map((reader) => once(reader.resume(), 'error').then(([error]) => error.code));
  expect(await Promise.all(lost)).toEqual(['ECONNRESET', 'ECONNRESET']);
});

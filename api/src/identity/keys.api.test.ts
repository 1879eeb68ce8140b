import { randomUUID } from 'node:crypto';
import { type Scope, scopesOf } from '@parts-forge/contract/calls/policies';
import type { Key } from '@parts-forge/contract/people/keys';
import { eq } from 'drizzle-orm';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { purgeExpired } from '#src/jobs.ts';
import { markRestored, takeOver } from '#src/platform/database/instance.ts';
import { takeOverShop } from '#src/process/take-over.ts';
import { aProduct, type BatchLines, type Person, signedInAs } from '#test/builders.ts';
import { aLink, downloadFile, openLink } from '#test/downloads.ts';
import { anAccount, anAdministrator, askIdentity, fetchAccessToken, readCookie } from '#test/identity.ts';
import { sendFile } from '#test/imports.ts';
import { createMovableClock } from '#test/movable-clock.ts';
import { aPaidOrder } from '#test/paid-orders.ts';
import { expectRefusal, readCode } from '#test/paying.ts';
import { callsWith, personAt } from '#test/person.ts';
import { readActivity, readTrail } from '#test/trail.ts';
import { startForTest, useShop } from '#test/use-shop.ts';
import { accessTokens } from './schema.ts';

const clock = createMovableClock();

const shop = useShop({ clock });
const other = useShop({ clock, shareDatabaseWith: shop });
afterEach(() => {
  clock.aheadMs = 0;
});

const askForKey = ({ token }: Pick<Person, 'token'>, body: object) =>
  shop.request('/key', { method: 'POST', token, body });

async function aKey(maker: Pick<Person, 'token'>, scopes: readonly Scope[], more = {}) {
  const answer = await askForKey(maker, { name: 'ERP nightly', scopes, ...more });
  if (answer.status !== 200) throw new Error(`The key was refused: ${JSON.stringify(answer.body)}`);
  const { key, data } = answer.body as { key: string; data: Key };
  return { ...callsWith(shop, key), data };
}

const listKeys = async ({ token }: Pick<Person, 'token'>): Promise<Key[]> =>
  (await shop.request('/key', { token })).body.data;
const endKey = ({ token }: Pick<Person, 'token'>, { _id }: Key) =>
  shop.request(`/key/${_id}`, { method: 'DELETE', token });
const findRows = (userId: string) =>
  shop.db.select().from(accessTokens).where(eq(accessTokens.userId, userId));
/** By a call of `orders:read`, in each process. */
const readStatuses = async ({ token }: Pick<Person, 'token'>, query = '') => [
  (await shop.request(`/order${query}`, { token })).status,
  (await other.request(`/order${query}`, { token })).status,
];
const refusedWithinASecond = (key: Pick<Person, 'token'>, query = '') =>
  vi.waitFor(async () => expect(await readStatuses(key, query)).toEqual([401, 401]), { timeout: 1000 });

describe('POST /key', () => {
  test('POST /key shows the key once and stores only its hash', async () => {
    const maker = await signedInAs(shop, 'admin', { name: 'Ada Reyes' });
    const { token, data } = await aKey(maker, ['stock:write', 'orders:read']);
    expect(token).toMatch(/^pfk_[\w-]{43}_[\w-]{4}$/);
    expect(data).toEqual({
      _id: expect.any(String),
      name: 'ERP nightly',
      hint: token.slice(-4),
      scopes: ['stock:write', 'orders:read'],
      madeBy: 'Ada Reyes',
    });
    expect(await listKeys(maker)).toContainEqual(data);
    const stored = JSON.stringify(await findRows(maker.userId));
    expect(stored).not.toContain(token.slice(4, 47));
  });

  test('a new key needs a sign-in of the last ten minutes', async () => {
    const maker = await signedInAs(shop, 'user');
    clock.aheadMs = 11 * 60_000;
    expectRefusal(await askForKey(maker, { name: 'ERP', scopes: ['orders:read'] }), 403, 'sign-in-again');
    expect(await findRows(maker.userId)).toHaveLength(1);
  });

  test('keys need the second factor where the shop requires it', async () => {
    const strict = await startForTest({ shareDatabaseWith: shop, env: { ADMIN_SECOND_FACTOR: 'required' } });
    const maker = await signedInAs(shop, 'admin');
    const { token, data } = await aKey(maker, ['orders:read']);
    const answers = [
      await strict.request('/key', {
        method: 'POST',
        token: maker.token,
        body: { name: 'ERP', scopes: ['orders:read'] },
      }),
      await strict.request('/key', { token: maker.token }),
      await strict.request(`/key/${data._id}`, { method: 'DELETE', token: maker.token }),
      await strict.request('/order', { token }),
    ];
    expect(answers.map(readCode)).toEqual(Array(4).fill('second-factor-required'));
  });

  test.each<[string, object, path: string]>([
    ['an unknown scope', { scopes: ['orders:read', 'all'] }, 'scopes.1'],
    ['no scope', { scopes: [] }, 'scopes'],
    ['a scope twice', { scopes: ['orders:read', 'orders:read'] }, 'scopes'],
    ["a customer's stock:write", { scopes: ['stock:write'] }, 'scopes'],
    ['an end in the past', { expiresAt: '2020-01-01' }, 'expiresAt'],
    ['an empty name', { name: ' ' }, 'name'],
    ['a long name', { name: 'x'.repeat(61) }, 'name'],
    ['an unknown field', { userId: randomUUID() }, 'userId'],
  ])('a new key with %s is refused by its field', async (_what, wrong, path) => {
    const maker = await signedInAs(shop, 'user');
    const refused = await askForKey(maker, { name: 'ERP', scopes: ['orders:read'], ...wrong });
    expect([refused.status, refused.body.errors.map((error: { path: string }) => error.path)]).toEqual([
      422,
      [path],
    ]);
    expect(await findRows(maker.userId)).toHaveLength(1);
    expect(await readActivity(shop, `?who=${maker.userId}`)).toEqual([]);
  });

  test('the twenty-first key of one person is refused', async () => {
    const maker = await signedInAs(shop, 'user');
    for (let made = 0; made < 20; made += 1) await aKey(maker, ['orders:read']);
    expectRefusal(await askForKey(maker, { name: 'ERP', scopes: ['orders:read'] }), 409, 'too-many-keys');
  });
});

describe('GET and DELETE /key', () => {
  test('three keys have their own use and end', async () => {
    const maker = await signedInAs(shop, 'user');
    const own = `?email=${maker.email}`;
    const [first, second, third] = [
      await aKey(maker, ['orders:read']),
      await aKey(maker, ['orders:read']),
      await aKey(maker, ['orders:read']),
    ];
    await readStatuses(first, own);
    await vi.waitFor(async () => {
      const used = (await listKeys(maker)).map(({ usedAt }) => usedAt);
      expect(used).toEqual([undefined, undefined, expect.stringMatching(/:00\.000Z$/)]);
    });
    clock.aheadMs = 2 * 60_000;
    await readStatuses(third, own);
    await vi.waitFor(async () => {
      const [late, none, early] = (await listKeys(maker)).map(({ usedAt = '' }) => Date.parse(usedAt));
      expect([(late ?? 0) - (early ?? 0), none]).toEqual([expect.any(Number), Number.NaN]);
      expect((late ?? 0) - (early ?? 0)).toBeGreaterThanOrEqual(60_000);
    });
    expect(await readStatuses(second, own)).toEqual([200, 200]);
    expect((await endKey(maker, second.data)).body).toEqual({ deletedCount: 1 });
    await refusedWithinASecond(second, own);
    expect([await readStatuses(first, own), await readStatuses(third, own)]).toEqual([
      [200, 200],
      [200, 200],
    ]);
    expect((await listKeys(maker)).map(({ _id }) => _id)).toEqual([third.data._id, first.data._id]);
    expect((await endKey(maker, second.data)).status).toBe(404);
  });

  test("administrators see to each other's keys, customers to their own", async () => {
    const [ada, jonas] = [await signedInAs(shop, 'admin'), await signedInAs(shop, 'admin')];
    const [amara, kofi] = [await signedInAs(shop, 'user'), await signedInAs(shop, 'user')];
    const { data: ofAda } = await aKey(ada, ['orders:read']);
    const { data: ofAmara } = await aKey(amara, ['orders:read']);
    expect((await listKeys(jonas)).map(({ _id }) => _id)).toContain(ofAda._id);
    expect(await listKeys(kofi)).toEqual([]);
    const refused = [await endKey(kofi, ofAmara), await endKey(jonas, ofAmara), await endKey(amara, ofAda)];
    expect(refused.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect((await endKey(jonas, ofAda)).status).toBe(200);
  });
});

describe('a key', () => {
  test('a key ends at its date', async () => {
    const maker = await signedInAs(shop, 'admin');
    const end = new Date(Date.now() + 3600_000).toISOString();
    const key = await aKey(maker, ['orders:read'], { expiresAt: end });
    expect(key.data.expiresAt).toBe(end);
    expect(await readStatuses(key)).toEqual([200, 200]);
    clock.aheadMs = 3600_001;
    expect(await readStatuses(key)).toEqual([401, 401]);
    expect(await listKeys(await signedInAs(shop, 'admin'))).not.toContainEqual(key.data);
  });

  test('a key outlives sign-out, its session and the purge of tokens', async () => {
    const account = await anAccount(shop);
    const token = await fetchAccessToken(shop, account);
    const key = await aKey({ token }, ['orders:read']);
    await shop.request('/logout', { method: 'POST', token });
    clock.aheadMs = 365 * 24 * 3600_000;
    await purgeExpired(shop.services);
    expect(await readStatuses(key, `?email=${account.email}`)).toEqual([200, 200]);
  });

  test("a key ends with its maker's role, in both directions", async () => {
    const chief = await signedInAs(shop, 'admin');
    const maker = await signedInAs(shop, 'admin');
    const key = await aKey(maker, ['orders:read']);
    const setRole = (role: string) => chief.put(`/user/admin/${maker.email}`, { role });
    expect(await readStatuses(key)).toEqual([200, 200]);
    await setRole('user');
    await refusedWithinASecond(key);
    const ofCustomer = await aKey(maker, ['orders:read']);
    await setRole('admin');
    await refusedWithinASecond(key);
    await refusedWithinASecond(ofCustomer);
  });

  test("a key ends with its maker's account and loses its name", async () => {
    const chief = await signedInAs(shop, 'admin');
    const maker = await signedInAs(shop, 'user');
    const key = await aKey(maker, ['orders:read']);
    const own = `?email=${maker.email}`;
    expect(await readStatuses(key, own)).toEqual([200, 200]);
    await chief.delete(`/user/${maker.email}`);
    await refusedWithinASecond(key, own);
    const entries = await readActivity(shop, `?who=${maker.userId}&what=key-made`);
    expect(entries.map(({ key: name }) => name)).toEqual([undefined]);
  });

  test('a password reset by link ends keys, a changed one does not', async () => {
    const { token: adminToken } = await anAdministrator(shop);
    const account = await anAccount(shop);
    const key = await aKey({ token: await fetchAccessToken(shop, account) }, ['orders:read']);
    const own = `?email=${account.email}`;
    const change = { currentPassword: account.password, newPassword: 'another-1' };
    const changed = await askIdentity(shop, '/change-password', change, account.cookie);
    const cookie = readCookie(changed);
    expect(changed.status).toBe(200);
    expect(await readStatuses(key, own)).toEqual([200, 200]);
    // Without a session whose end would be published.
    await askIdentity(shop, '/sign-out', {}, cookie);
    expect(await readStatuses(key, own)).toEqual([200, 200]);
    const link = await shop.request(`/user/${account.email}/reset-link`, {
      method: 'POST',
      token: adminToken,
    });
    const token = new URLSearchParams(new URL(link.body.url).hash.slice(1)).get('token');
    expect((await askIdentity(shop, '/reset-password', { newPassword: 'a new one', token })).status).toBe(
      200,
    );
    await refusedWithinASecond(key, own);
  });

  test('odd and ended keys are refused alike', async () => {
    const maker = await signedInAs(shop, 'admin');
    const { token } = await aKey(maker, ['orders:read']);
    const swapped = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`;
    const { token: ended, data } = await aKey(maker, ['orders:read']);
    await endKey(maker, data);
    const refused = await Promise.all(
      [swapped, token.slice(4), `${token}=`, token.toUpperCase(), ended, 'pfk_'].map((odd) =>
        shop.request('/order', { token: odd }),
      ),
    );
    const bodies = refused.map(({ body }) => JSON.stringify(body));
    expect([refused[0]?.status, new Set(bodies).size]).toEqual([401, 1]);
    expect(refused[0]?.body.detail).toBe('This sign-in or key has ended, or is none');
  });

  test('a key has a rate of its own', async () => {
    const limited = await startForTest({ shareDatabaseWith: shop, env: { RATE_LIMITS: 'on' } });
    const maker = await signedInAs(shop, 'user');
    const [one, two] = [await aKey(maker, ['orders:place']), await aKey(maker, ['orders:place'])];
    const read = async ({ token }: { token: string }) => (await limited.request('/batch', { token })).status;
    for (let sent = 0; sent < 600; sent += 50) await Promise.all(Array.from({ length: 50 }, () => read(one)));
    expect([await read(one), await read(two), await read(maker)]).toEqual([429, 200, 200]);
  });

  test('the activity names the key beside its maker', async () => {
    const maker = await signedInAs(shop, 'admin');
    const key = await aKey(maker, ['stock:write']);
    const { _id } = await aProduct(shop);
    const body = { add: 5, reason: 'restock' };
    const headers = { 'idempotency-key': randomUUID() };
    await key.post(`/product/${_id}/stock`, body, headers);
    await endKey(maker, key.data);
    clock.aheadMs = 3600_000;
    await purgeExpired(shop.services);
    const entries = await readActivity(shop, `?who=${maker.userId}`);
    expect(entries.map(({ event, key: name }) => [event, name])).toEqual([
      ['key-ended', 'ERP nightly'],
      ['stock-restocked', 'ERP nightly'],
      ['key-made', 'ERP nightly'],
    ]);
    expect(entries[2]?.after).toEqual({ scopes: 'stock:write' });
  });

  test("an order's trail names the key that placed and accepted it", async () => {
    const [customer, clerk] = [await signedInAs(shop, 'user'), await signedInAs(shop, 'admin')];
    const key = await aKey(customer, ['orders:place', 'orders:read'], { name: 'Bench nightly' });
    const order = await personAt(shop, { ...customer, token: key.token }).orders(await aProduct(shop));
    await customer.pays(order);
    const accepting = await aKey(clerk, ['orders:accept']);
    const guess = { act: 'accept', filter: { q: customer.name } };
    const guessed = await accepting.post('/order/bulk', guess);
    expect(guessed.body.scope).toBe('orders:read');
    await personAt(shop, { ...clerk, token: accepting.token }).accepts(order);
    await endKey(customer, key.data);
    const readKeys = async (reader: Person) =>
      (await readTrail(reader, order._id)).map(({ event, key: name }) => [event, name]);
    expect(await readKeys(clerk)).toEqual([
      ['accepted', 'ERP nightly'],
      ['paid', undefined],
      ['ordered', 'Bench nightly'],
    ]);
    expect(await readKeys(customer)).toEqual([
      ['accepted', undefined],
      ['paid', undefined],
      ['ordered', 'Bench nightly'],
    ]);
  });

  test('a batch that a key placed names it for each order', async () => {
    const customer = await signedInAs(shop, 'user');
    const key = await aKey(customer, ['orders:place']);
    const lines: BatchLines = [
      [await aProduct(shop), 50],
      [await aProduct(shop), 50],
    ];
    const placed = await personAt(shop, { ...customer, token: key.token }).placesBatch(lines);
    expect(placed.status).toBe(200);
    for (const id of placed.body.insertedIds)
      expect(await readTrail(customer, id)).toMatchObject([{ event: 'ordered', key: 'ERP nightly' }]);
  });

  test('an ended key takes its link to a file with it', async () => {
    const maker = await signedInAs(shop, 'admin');
    const { order } = await aPaidOrder(shop, maker);
    const key = await aKey(maker, ['orders:read']);
    const ask = () =>
      aLink(personAt(shop, { ...maker, token: key.token }), { what: 'invoice', order: order._id });
    const [early, late] = [await ask(), await ask()];
    expect((await openLink(shop, early)).status).toBe(200);
    await endKey(maker, key.data);
    expect((await openLink(shop, late)).status).toBe(404);
  });

  test('a restored copy refuses every key until it takes over', async () => {
    const original = await startForTest();
    const maker = await signedInAs(original, 'admin');
    const made = await original.request('/key', {
      method: 'POST',
      token: maker.token,
      body: { name: 'ERP', scopes: ['orders:read'] },
    });
    const readCopy = async () => {
      const copy = await startForTest({ shareDatabaseWith: original });
      const { status } = await copy.request('/order', { token: made.body.key });
      return status;
    };
    await markRestored(original.db, new Date());
    expect(await readCopy()).toBe(401);
    const none = { invoice: 'none', 'credit-note': 'none', 'debit-note': 'none' };
    await takeOverShop(original.services.database, none, new Date());
    expect(await readCopy()).toBe(200);
  });

  test('people of a restored shop sign in and keep their keys', async () => {
    const original = await startForTest();
    const people = [await anAdministrator(original), await anAccount(original)];
    const before = await Promise.all(people.map((person) => fetchAccessToken(original, person)));
    const body = { name: 'ERP', scopes: ['orders:read'] };
    const keys = await Promise.all(
      before.map((token) => original.request('/key', { method: 'POST', token, body })),
    );
    const { db } = original.services.database;
    await markRestored(db, new Date());
    await takeOver(db, new Date());
    const copy = await startForTest({ shareDatabaseWith: original });
    for (const person of people) expect(await fetchAccessToken(copy, person)).toMatch(/^[\w-]{43}$/);
    const answers = keys.map(({ body: { key } }) => copy.request('/order?email=x', { token: key }));
    expect((await Promise.all(answers)).map(({ status }) => status)).not.toContain(401);
  });
});

describe('call by call', () => {
  const makers = ['admin', 'user'] as const;
  const cases = makers.flatMap((role) => scopesOf(role).map((scope) => ({ role, scope })));

  test.each(cases)("a key of $role with $scope makes that scope's calls alone", async ({ role, scope }) => {
    const maker = await signedInAs(shop, role);
    const { token } = await aKey(maker, [scope]);
    const { paths } = (await shop.request('/openapi.json')).body;
    const operations = Object.entries<Record<string, { security: Record<string, Scope[]>[] }>>(paths);
    let calls = 0;
    for (const [path, methods] of operations) {
      for (const [method, { security }] of Object.entries(methods)) {
        if (!security.some((scheme) => 'accessToken' in scheme)) continue;
        calls += 1;
        const needed = security.flatMap(({ key = [] }) => key);
        const address = path.replace('{email}', maker.email).replace(/\{\w+\}/g, randomUUID());
        const answer = await shop.request(address, { method: method.toUpperCase(), token });
        const label = `${method} ${path}: ${JSON.stringify(answer.body)}`;
        if (needed.includes(scope)) {
          expect(['sign-in-needed', 'scope-missing', 'not-for-keys'], label).not.toContain(readCode(answer));
        } else {
          const code = needed.length > 0 ? 'scope-missing' : 'not-for-keys';
          expect([answer.status, readCode(answer)], label).toEqual([403, code]);
          expect(answer.body.scope, label).toBe(needed.length > 0 ? needed.join(' ') : undefined);
        }
      }
    }
    expect(calls).toBeGreaterThan(45);
  });

  test('a file that changes stock needs its scope to be applied', async () => {
    const maker = await signedInAs(shop, 'admin');
    const { number, quantity } = await aProduct(shop);
    const apply = async (scopes: readonly Scope[], file: string) => {
      const { token } = await aKey(maker, scopes);
      const { body } = await sendFile(personAt(shop, { ...maker, token }), file);
      const answer = await shop.request(`/product/import/${body.data._id}/apply`, { method: 'POST', token });
      return answer.status === 200 ? 'ok' : answer.body.scope;
    };
    expect(await apply(['catalogue:write'], `number,add\n${number},50`)).toBe('stock:write');
    // The shop's own file has the stock.
    const exported = `number,price,stock,stock was\n${number},70,${quantity},${quantity}`;
    expect(await apply(['catalogue:write'], exported)).toBe('ok');
    expect(await apply(['catalogue:write', 'stock:write'], `number,add\n${number},50`)).toBe('ok');
  });

  test("a customer's key reads and places for that customer alone", async () => {
    const [amara, kofi] = [await signedInAs(shop, 'user'), await signedInAs(shop, 'user')];
    const product = await aProduct(shop);
    const order = await amara.orders(product);
    const key = await aKey(amara, ['orders:read', 'orders:place']);
    const ofKofi = await aKey(kofi, ['orders:read', 'orders:place']);
    const read = async ({ token }: { token: string }, path: string) => {
      const answer = await shop.request(path, { token });
      return answer.status === 200 ? 'ok' : readCode(answer);
    };
    const list = `/order?email=${amara.email}`;
    expect([await read(key, list), await read(key, `/order/${order._id}`)]).toEqual(['ok', 'ok']);
    expect([await read(ofKofi, list), await read(ofKofi, `/order/${order._id}`)]).toEqual([
      'not-yours',
      'not-found',
    ]);
    expect(await read(key, '/order')).toBe('admin-needed');
    const placed = [
      await personAt(shop, { ...amara, token: key.token }).places(product),
      await personAt(shop, { ...amara, token: ofKofi.token }).places(product),
    ];
    expect(placed.map(({ status }) => status)).toEqual([200, 403]);
  });

  test('a key without orders:read sees the figures of a ledger alone', async () => {
    const [maker, amara] = [await signedInAs(shop, 'admin'), await signedInAs(shop, 'user')];
    const part = await aProduct(shop);
    const order = await amara.orders(part);
    const readers = [await aKey(maker, ['stock:write']), await aKey(maker, ['stock:write', 'orders:read'])];
    const [figures, whole] = await Promise.all(
      readers.map(async (key) => {
        const { body } = await key.get(`/product/${part._id}/stock`);
        const file = { what: 'stock' as const, filters: { product: part._id } };
        const { bytes } = await downloadFile(shop, personAt(shop, { ...maker, token: key.token }), file);
        return { names: Object.keys(body.data[0]).sort(), text: JSON.stringify(body) + bytes.toString() };
      }),
    );
    expect(figures?.names).toEqual(['at', 'balance', 'change', 'kind']);
    expect(whole?.names).toEqual(['at', 'balance', 'by', 'change', 'kind', 'order', 'orderNumber']);
    for (const fact of [amara.name, amara.userId, order._id, String(order.number)]) {
      expect([figures?.text.includes(fact), whole?.text.includes(fact)], fact).toEqual([false, true]);
    }
  });

  test('a file falls under the scope of its rows', async () => {
    const maker = await signedInAs(shop, 'admin');
    const [orders, stock] = [await aKey(maker, ['orders:read']), await aKey(maker, ['stock:write'])];
    const ask = async ({ token }: { token: string }, what: string) => {
      const more = what === 'month' ? { month: '2026-10' } : {};
      const answer = await shop.request('/downloads', { method: 'POST', token, body: { what, ...more } });
      return answer.status === 200 ? 'ok' : (answer.body.scope ?? readCode(answer));
    };
    const lists = ['orders', 'stock', 'activity', 'month'];
    expect(await Promise.all(lists.map((what) => ask(orders, what)))).toEqual([
      'ok',
      'stock:write',
      'not-for-keys',
      'not-for-keys',
    ]);
    expect([await ask(stock, 'orders'), await ask(stock, 'stock')]).toEqual(['orders:read', 'ok']);
  });
});

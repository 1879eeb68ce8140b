import { randomUUID } from 'node:crypto';
import { describe, expect, it, test } from 'vitest';
import { users } from '#src/users/schema.ts';
import { aProduct, type Person, signedInAs } from '#test/builders.ts';
import { usePerson, useShop } from '#test/use-shop.ts';

const shop = useShop();
const admin = usePerson(shop, 'admin');
const customer = usePerson(shop, 'user');
const other = usePerson(shop, 'user');

const get = (path: string, token?: string) => shop.request(path, { token });
const put = (path: string, body: unknown, token?: string) =>
  shop.request(path, { method: 'PUT', body, token });
const remove = (path: string, token?: string) => shop.request(path, { method: 'DELETE', token });
const readCode = ({ body }: { body: { type: string } }) => body.type.replace('urn:parts-forge:problem:', '');

describe('GET /user', () => {
  it('users are listed newest first, with their number and next page', async () => {
    const name = `Ledger ${randomUUID()}`;
    const { database, ids } = shop.services;
    const people = Array.from({ length: 5 }, (_, n) => ({
      id: ids.next(),
      name,
      email: `${randomUUID()}@ledger.example`,
      createdAt: new Date(Date.UTC(2026, 0, 1 + Math.floor(n / 2))),
    }));
    await database.db.insert(users).values(people);
    const newestFirst = people.toReversed().map(({ email }) => email);

    const seen: string[] = [];
    let path: string | undefined = `/user?limit=2&q=${encodeURIComponent(name)}`;
    while (path) {
      const page = await get(path, admin.token);
      expect(page.status).toBe(200);
      expect(page.headers.get('x-total-count')).toBe('5');
      expect(page.headers.get('cache-control')).toBe('no-store');
      seen.push(...page.body.map(({ email }: { email: string }) => email));
      path = /^<([^>]+)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1];
    }
    expect(seen).toEqual(newestFirst);
  });

  it('the search covers name and email literally, ignoring case', async () => {
    const mark = randomUUID();
    await signedInAs(shop, 'user', { name: `100%_Sure ${mark}`, email: `sure-${mark}@field.example` });
    const countMatches = async (q: string) =>
      (await get(`/user?q=${encodeURIComponent(q)}`, admin.token)).body.length;
    expect(await countMatches(`100%_SURE ${mark}`)).toBe(1);
    expect(await countMatches(`SURE-${mark}@field`)).toBe(1);
    expect(await countMatches(`%${mark}`)).toBe(0);
    expect(await countMatches(`nobody ${mark}`)).toBe(0);
  });

  it('a role filter lists only users with that role', async () => {
    const mark = randomUUID();
    const chief = await signedInAs(shop, 'admin', { name: `Chief ${mark}` });
    const buyer = await signedInAs(shop, 'user', { name: `Buyer ${mark}` });
    const list = async (query: string) =>
      (await get(`/user?q=${mark}${query}`, admin.token)).body.map(({ email }: { email: string }) => email);
    expect(await list('')).toEqual([buyer.email, chief.email]);
    expect(await list('&role=admin')).toEqual([chief.email]);
    expect(await list('&role=user')).toEqual([buyer.email]);
  });

  it("a listed user has the specification's fields and no identity", async () => {
    const { body } = await get(`/user?q=${customer.email}`, admin.token);
    expect(Object.keys(body[0]).sort()).toEqual(
      [
        '_id',
        'createdAt',
        'education',
        'email',
        'linkdin',
        'location',
        'name',
        'phone',
        'role',
        'updatedAt',
      ].sort(),
    );
  });
});

describe('GET /user/{email}', () => {
  it('a user can read their own account, ignoring case', async () => {
    const answer = await get(`/user/${customer.email.toUpperCase()}`, customer.token);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      name: customer.name,
      email: customer.email,
      role: 'user',
      education: '',
      location: '',
      phone: '',
      linkdin: '',
    });
  });

  it('an administrator can read any account', async () => {
    expect((await get(`/user/${customer.email}`, admin.token)).body.email).toBe(customer.email);
    const unknown = await get('/user/nobody@field.example', admin.token);
    expect(unknown.status).toBe(404);
    expect((await get('/user/%00', admin.token)).status).toBe(404);
  });

  it("another customer's account is 403, even if it does not exist", async () => {
    for (const email of [other.email, 'nobody@field.example']) {
      const answer = await get(`/user/${email}`, customer.token);
      expect(answer.status).toBe(403);
      expect(readCode(answer)).toBe('not-yours');
    }
  });

  it('a percent sign in an address stays literal', async () => {
    const person = await signedInAs(shop, 'user', { email: `50%41-${randomUUID()}@field.example` });
    const answer = await get(`/user/${encodeURIComponent(person.email)}`, person.token);
    expect(answer.body.email).toBe(person.email);
  });
});

describe('PUT /user/update/{email}', () => {
  const path = ({ email }: Person) => `/user/update/${email}`;

  it('an update sets given fields and clears empty ones', async () => {
    const person = await signedInAs(shop, 'user');
    const profile = async () => (await get(`/user/${person.email}`, person.token)).body;
    const first = await put(
      path(person),
      {
        education: ' BSc ',
        location: 'Accra',
        phone: '+233 30 277',
        linkdin: 'https://www.linkedin.com/in/amara',
      },
      person.token,
    );
    expect(first.body).toEqual({ acknowledged: true });
    expect(await profile()).toMatchObject({
      education: 'BSc',
      location: 'Accra',
      phone: '+233 30 277',
      linkdin: 'https://www.linkedin.com/in/amara',
    });
    await put(path(person), { location: '', phone: '1' }, person.token);
    expect(await profile()).toMatchObject({ education: 'BSc', location: '', phone: '1' });
    await put(path(person), { linkdin: '' }, person.token);
    expect(await profile()).toMatchObject({ education: 'BSc', linkdin: '' });
    expect((await put(path(person), {}, person.token)).body).toEqual({ acknowledged: true });
  });

  it('an update ignores role, name and email', async () => {
    const person = await signedInAs(shop, 'user');
    await put(path(person), { role: 'admin', name: 'Root', email: 'root@field.example' }, person.token);
    expect((await get(`/user/${person.email}`, person.token)).body).toMatchObject({
      role: 'user',
      name: person.name,
      email: person.email,
    });
  });

  it.each([
    ['education', 'x'.repeat(200)],
    ['location', '💠'.repeat(200)],
    ['phone', 'x'.repeat(40)],
    ['phone', 233302771204],
    ['linkdin', `https://a.example/${'x'.repeat(282)}`],
  ])('an update accepts %s at its limit', async (field, value) => {
    expect((await put(path(customer), { [field]: value }, customer.token)).status).toBe(200);
    const { body } = await get(`/user/${customer.email}`, customer.token);
    expect(body[field]).toBe(String(value));
  });
});

describe('PUT /user/admin/{email}', () => {
  it('a promotion makes an administrator and is repeatable', async () => {
    const person = await signedInAs(shop, 'user');
    const first = await put(`/user/admin/${person.email.toUpperCase()}`, { role: 'admin' }, admin.token);
    expect(first.status).toBe(200);
    expect(first.body).toEqual({ result: { acknowledged: true, matchedCount: 1, modifiedCount: 1 } });
    const again = await put(`/user/admin/${person.email}`, { role: 'admin' }, admin.token);
    expect(again.body).toEqual({ result: { acknowledged: true, matchedCount: 1, modifiedCount: 0 } });
    expect((await get(`/user/${person.email}`, admin.token)).body.role).toBe('admin');
  });

  it('a promotion of an unknown address is 404', async () => {
    expect((await put('/user/admin/nobody@field.example', { role: 'admin' }, admin.token)).status).toBe(404);
  });
});

describe('DELETE /user/{email}', () => {
  it('a deleted user disappears from all lists', async () => {
    const person = await signedInAs(shop, 'user');
    const answer = await remove(`/user/${person.email}`, admin.token);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ deletedCount: 1 });
    expect((await get(`/user/${person.email}`, admin.token)).status).toBe(404);
    expect((await get(`/user?q=${person.email}`, admin.token)).body).toEqual([]);
    expect((await remove(`/user/${person.email}`, admin.token)).status).toBe(404);
  });

  it('administrators cannot be deleted, not even by themselves', async () => {
    for (const { email } of [admin, await signedInAs(shop, 'admin')]) {
      const answer = await remove(`/user/${email}`, admin.token);
      expect(answer.status).toBe(409);
      expect(readCode(answer)).toBe('user-is-admin');
      expect((await get(`/user/${email}`, admin.token)).status).toBe(200);
    }
  });

  it('a deletion of an unknown address is 404', async () => {
    expect((await remove('/user/nobody@field.example', admin.token)).status).toBe(404);
  });

  it('a concurrent promotion and deletion leave no deleted administrator', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { email } = await signedInAs(shop, 'user');
      const [removed, promoted] = await Promise.all([
        remove(`/user/${email}`, admin.token),
        put(`/user/admin/${email}`, { role: 'admin' }, admin.token),
      ]);
      expect([
        [200, 404],
        [409, 200],
      ]).toContainEqual([removed.status, promoted.status]);
    }
  });
});

const read = (email: string) => admin.get(`/user/${encodeURIComponent(email)}/summary`);

test('a summary has orders, sums, reviews and the last activity', async () => {
  const customer = await signedInAs(shop, 'user');
  const other = await signedInAs(shop, 'user');
  const product = await aProduct(shop, { price: 20, quantity: 10_000 });
  const [due, cancelled, pending, paid, refunded] = [
    await customer.orders(product, 50),
    await customer.orders(product, 60),
    await customer.orders(product, 70),
    await customer.orders(product, 80),
    await customer.orders(product, 90),
  ];
  await other.orders(product, 100);
  await customer.cancels(cancelled);
  for (const order of [pending, paid, refunded]) await customer.pays(order);
  await admin.accepts(paid);
  await admin.post(`/order/${refunded._id}/refund`, { returnStock: true });
  const review = { email: customer.email, rating: 4.5, description: 'Consistent.' };
  await customer.post('/review', review);

  const { status, body } = await read(customer.email.toUpperCase());
  expect(status).toBe(200);
  expect(body).toEqual({
    orders: 3,
    paid: 1600,
    waiting: 1400,
    unpaid: 1000,
    refunded: 1800,
    reviews: [expect.objectContaining({ rating: 4.5, description: 'Consistent.', verified: true })],
    lastSeen: expect.any(String),
  });
  expect(body.lastSeen >= due.createdAt).toBe(true);
});

test('a new customer has a summary, and an unknown address has none', async () => {
  const { email } = await signedInAs(shop, 'user');
  expect((await read(email)).body).toMatchObject({
    orders: 0,
    paid: 0,
    waiting: 0,
    unpaid: 0,
    refunded: 0,
    reviews: [],
  });
  expect((await read('nobody@fieldrepair.example')).status).toBe(404);
});

import { eq, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { identitySessions } from '#src/identity/schema.ts';
import { users } from '#src/users/schema.ts';
import { aProduct, type Person, signedInAs } from '#test/builders.ts';
import {
  aCustomer,
  anAdministrator,
  askIdentity,
  exchange,
  fetchAccessToken,
  fetchIdToken,
  signIn,
} from '#test/identity.ts';
import { expectRefusal } from '#test/paying.ts';
import { personAt } from '#test/person.ts';
import { readActivity } from '#test/trail.ts';
import { useShop } from '#test/use-shop.ts';

const shop = useShop();

const remove = (person: Person) => person.delete(`/user/${person.email}`);
const readData = (person: Person, reader: Pick<Person, 'get'> = person) =>
  reader.get(`/user/${person.email}/data`);
const review = (person: Person, description: string) =>
  person.post('/review', { email: person.email, name: person.name, rating: 4.5, description });

describe('GET /user/{email}/data', () => {
  it('a person gets all data about them', async () => {
    const customer = await aCustomer(shop);
    await customer.put(`/user/update/${customer.email}`, { education: 'Electronics', location: 'Accra' });
    const product = await aProduct(shop);
    const [standing, cancelled] = [await customer.orders(product), await customer.orders(product)];
    await customer.cancels(cancelled);
    await review(customer, 'Arrived in two days.');

    const { status, headers, body } = await readData(customer);
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(Object.keys(body)).toEqual([
      'exportedAt',
      'isComplete',
      'profile',
      'orders',
      'batch',
      'aliases',
      'wishes',
      'prices',
      'quotes',
      'invoices',
      'reviews',
      'trail',
      'mails',
      'signIn',
    ]);
    expect(body.profile).toMatchObject({
      email: customer.email,
      education: 'Electronics',
      location: 'Accra',
    });
    expect(body.orders).toMatchObject([
      { _id: cancelled._id, closed: 'cancelled' },
      { _id: standing._id, status: 'due', address: '12 Oxford Street, Osu\nAccra' },
    ]);
    expect(body.reviews).toMatchObject([{ rating: 4.5, description: 'Arrived in two days.' }]);
    expect(body.trail).toEqual([
      { at: expect.any(String), event: 'cancelled', by: 'user', order: cancelled._id },
    ]);
    expect(body.mails).toEqual([
      { at: expect.any(String), kind: 'order-placed', state: 'waiting', order: cancelled._id },
      { at: expect.any(String), kind: 'order-placed', state: 'waiting', order: standing._id },
      { at: expect.any(String), kind: 'address-verification', state: 'waiting' },
    ]);
    expect(body.signIn).toMatchObject({
      emailVerified: false,
      identity: { issuer: expect.stringContaining('urn:parts-forge:'), subject: expect.any(String) },
      google: null,
      secondFactor: false,
      sessions: [{ ipAddress: '127.0.0.1' }],
    });
  });

  it('a list has the newest 10,000 entries and reports omissions', async () => {
    const customer = await aCustomer(shop);
    expect((await readData(customer)).body.isComplete).toBe(true);
    await shop.db.execute(sql`
      insert into trail (id, created_at, event, topic, actor, actor_id, request_id)
      select gen_random_uuid(), now(), 'session-ended', 'people', 'user', ${customer.userId}::uuid, gen_random_uuid()
      from generate_series(1, 10001)`);
    const { body } = await readData(customer);
    expect(body.isComplete).toBe(false);
    expect(body.trail).toHaveLength(10_000);
  });

  it('the data includes invoices and their buyer', async () => {
    const [customer, other] = [await aCustomer(shop), await aCustomer(shop)];
    const order = await customer.orders(await aProduct(shop));
    for (const [person, bought] of [
      [customer, order],
      [other, await other.orders(await aProduct(shop))],
    ] as const) {
      await person.pays(bought);
    }
    expect((await readData(customer)).body.invoices).toEqual([
      {
        number: expect.stringMatching(/^\d{4}-\d{5}$/),
        at: expect.any(String),
        order: order._id,
        amount: order.totalPrice,
        buyer: { name: customer.name, email: customer.email, address: '12 Oxford Street, Osu\nAccra' },
      },
    ]);
  });

  it("the data contains no other person's data and no secret", async () => {
    const [customer, other] = [await aCustomer(shop), await aCustomer(shop)];
    await other.orders(await aProduct(shop));
    await review(other, 'Somebody else’s words.');
    const text = JSON.stringify((await readData(customer)).body);
    expect(text).not.toContain(other.email);
    expect(text).not.toContain('Somebody else');
    expect(text).not.toMatch(/argon2|"token"|password/);
    expect(JSON.parse(text)).toMatchObject({ orders: [], reviews: [], trail: [] });
  });

  it('the data names actions on the person without their administrator', async () => {
    const [customer, admin] = [await aCustomer(shop), await anAdministrator(shop)];
    await admin.post(`/user/${customer.email}/reset-link`);
    const { body } = await readData(customer);
    expect(body.trail).toEqual([{ at: expect.any(String), event: 'reset-link-made', by: 'admin' }]);
    expect(JSON.stringify(body)).not.toContain(admin.email);
  });
});

describe('DELETE /user/{email} of the own account', () => {
  it('a deletion ends every sign-in and erases personal data', async () => {
    const customer = await aCustomer(shop);
    const idToken = await fetchIdToken(shop, customer);
    expect((await remove(customer)).body).toEqual({ deletedCount: 1 });

    expect((await customer.get(`/user/${customer.email}`)).status).toBe(401);
    expect((await signIn(shop, customer)).status).toBe(401);
    expect((await askIdentity(shop, '/token', undefined, customer.cookie)).status).toBe(401);
    expect((await exchange(shop, idToken, customer)).status).toBe(401);
    const [row] = await shop.db.select().from(users).where(eq(users.id, customer.userId));
    expect(row).toMatchObject({
      name: 'Former customer',
      email: `${customer.userId}@erased.invalid`,
      education: '',
      location: '',
      phone: '',
      linkdin: '',
      identitySubject: null,
      deletedAt: expect.any(Date),
    });
    const { rows } = await shop.pool.query('select 1 from identity."user" where email = $1', [
      customer.email,
    ]);
    expect(rows).toEqual([]);
  });

  it('a deletion keeps paid orders and removes reviews', async () => {
    const [customer, admin] = [await aCustomer(shop), await signedInAs(shop, 'admin')];
    const order = await customer.orders(await aProduct(shop));
    const paid = await customer.orders(await aProduct(shop));
    await customer.pays(paid);
    await customer.cancels(order);
    await review(customer, `Words of ${customer.userId}.`);
    await shop.request('/review');
    expect((await remove(customer)).status).toBe(200);

    const closedOrder = await admin.get(`/order/${order._id}?closed=true`);
    const email = `${customer.userId}@erased.invalid`;
    expect(closedOrder.body).toMatchObject({ name: 'Former customer', email, address: '', phone: '' });
    const paidOrder = await admin.get(`/order/${paid._id}`);
    expect(paidOrder.body).toMatchObject({ email: customer.email, address: paid.address });
    expect(JSON.stringify((await shop.request('/review')).body)).not.toContain(customer.userId);
  });

  it('the trail records a deletion by id without a name', async () => {
    const customer = await aCustomer(shop);
    await remove(customer);
    const [entry, ...others] = await readActivity(shop, `?who=${customer.userId}`);
    expect(others).toEqual([]);
    expect(entry).toMatchObject({ event: 'user-deleted', by: { kind: 'user', _id: customer.userId } });
    expect(JSON.stringify(entry)).not.toContain(customer.email);
    expect(JSON.stringify(entry)).not.toContain(customer.name);
  });

  it('a deletion needs a sign-in within the last ten minutes', async () => {
    const customer = await aCustomer(shop);
    const renewAfter = async (minutes: number) => {
      await shop.db.update(identitySessions).set({ createdAt: new Date(Date.now() - minutes * 60_000) });
      return personAt(shop, { ...customer, token: await fetchAccessToken(shop, customer) });
    };
    const later = await renewAfter(10.1);
    expectRefusal(await remove(later), 403, 'sign-in-again');
    expect((await readData(later)).status).toBe(200);
    expect((await remove(await renewAfter(9.9))).status).toBe(200);
  });

  it('a deletion is refused while an order is unpaid', async () => {
    const customer = await aCustomer(shop);
    const order = await customer.orders(await aProduct(shop));
    expectRefusal(await remove(customer), 409, 'unpaid-orders');
    await customer.cancels(order);
    expect((await remove(customer)).status).toBe(200);
  });

  it('simultaneous deletions delete the account once', async () => {
    const customer = await aCustomer(shop);
    const answers = await Promise.all([remove(customer), remove(customer)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, expect.toBeOneOf([401, 404])]);
  });
});

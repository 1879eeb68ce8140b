import { format } from 'node:util';
import { afterAll, expect, test, vi } from 'vitest';
import { aProduct, orderBody, type Person, signedInAs } from '#test/builders.ts';
import { aCustomer, anAccount, askIdentity, fetchIdToken } from '#test/identity.ts';
import { aPendingOrder } from '#test/paid-orders.ts';
import { useShop } from '#test/use-shop.ts';

const lines: string[] = [];
/** Operators see the output of libraries just like the log. */
const printing = vi.spyOn(console, 'error').mockImplementation((...args) => void lines.push(format(...args)));
const shop = useShop({ onLine: (line) => void lines.push(line) });
afterAll(() => printing.mockRestore());

const personal = {
  name: 'Zubeda Quist-Personal',
  street: '77 Unlogged Street',
  city: 'Personalville',
  phone: '999888777666',
  linkdin: 'https://linkdin.example/zubeda-personal',
  review: 'A sentence that only I would write, personally.',
  secondLine: 'Another line of the same review.',
  search: 'personal-search-text',
  password: 'personal-Password-1',
};

/** Requests of a customer and an administrator with personal data in path, query and body. */
async function doEverything(customer: Person, admin: Person): Promise<number[]> {
  const email = encodeURIComponent(customer.email);
  const product = await aProduct(shop).catch(() => null);
  const order = product && {
    ...orderBody(customer, product),
    address: `${personal.street}\n${personal.city}`,
    phone: personal.phone,
  };
  const made = [
    ...(order ? [['POST', '/order', customer, order] as const] : []),
    ['GET', `/user/${email}`, customer],
    ['PUT', `/user/update/${email}`, customer, { linkdin: personal.linkdin, location: personal.city }],
    [
      'POST',
      '/review',
      customer,
      { email: customer.email, rating: 5, description: `${personal.review}\n${personal.secondLine}` },
    ],
    ['GET', `/order?email=${email}`, customer],
    ['GET', `/order?q=${personal.search}`, admin],
    ['GET', `/user?q=${personal.search}`, admin],
    ['GET', `/activity?q=${email}`, admin],
    ['GET', `/product?q=${personal.search}`, admin],
    ['PUT', `/user/admin/${email}`, customer, { role: 'admin' }],
    ['DELETE', `/user/${email}x`, admin],
    ['POST', `/nothing/${email}?email=${email}`, customer, {}],
    ['POST', '/order', customer, { email: customer.email, address: personal.street, quantity: 'x' }],
  ] as const;
  const answers: number[] = [];
  for (const [method, path, { token }, body] of made) {
    const options = { method, token, ...(body !== undefined && { body }) };
    answers.push((await shop.request(path, options)).status);
  }
  return answers;
}

/** Hides each table for a while, so that its statements fail with their values. */
async function withoutTable(table: string, work: () => Promise<unknown>): Promise<void> {
  const name = table.split('.').at(-1);
  await shop.pool.query(`alter table ${table} rename to ${name}_away`);
  try {
    await work();
  } finally {
    await shop.pool.query(`alter table ${table}_away rename to ${name}`);
  }
}

test("no line has personal data, a query or a statement's value", async () => {
  const account = await aCustomer(shop, { name: personal.name, password: personal.password });
  const admin = await signedInAs(shop, 'admin', { name: personal.name });

  await askIdentity(shop, '/sign-in/email', { email: account.email, password: 'wrong-Password' });
  await anAccount(shop, { email: account.email }).catch(() => {});
  const answers = await doEverything(account, admin);
  expect(new Set(answers)).toEqual(new Set([200, 403, 404, 422]));

  const idToken = await fetchIdToken(shop, account);
  for (const table of ['orders', 'trail', 'reviews', 'products', 'users', 'order_keys']) {
    await withoutTable(table, async () => {
      const failed = await doEverything(account, admin);
      expect(failed, table).toContain(500);
      await shop.request(`/user/${encodeURIComponent(account.email)}`, {
        method: 'PUT',
        token: idToken,
        body: { email: account.email, name: personal.name },
      });
    });
  }
  await withoutTable('identity.account', () =>
    askIdentity(shop, '/sign-in/email', { email: account.email, password: personal.password }),
  );

  const logged = lines.join('');
  expect(logged).not.toMatch(/params: (?!left out)/);
  expect(lines.length).toBeGreaterThan(50);
  expect(logged).toContain('params: left out');
  for (const value of [account.email, encodeURIComponent(account.email), account.email.split('@')[0] ?? '']) {
    expect(logged).not.toContain(value);
  }
  for (const [what, value] of Object.entries(personal)) expect(logged, what).not.toContain(value);
  for (const secret of [account.token, admin.token, idToken, account.cookie])
    expect(logged).not.toContain(secret);
  shop.expectErrors(expect.arrayContaining([expect.objectContaining({ msg: 'unexpected error' })]));
});

test('a line of the identity service has only constant words', async () => {
  lines.length = 0;
  await askIdentity(shop, '/sign-in/email', {
    email: 'somebody@private.example',
    password: personal.password,
    callbackURL: `https://x.example/?mail=somebody@private.example&street=${personal.street}`,
  });
  expect(lines.join('')).toContain('"msg":"identity: Invalid callbackURL"');
  expect(lines.join('')).not.toMatch(/private\.example|Unlogged/);
});

test('every line for a signed-in person has their id', async () => {
  lines.length = 0;
  const { customer, order } = await aPendingOrder(shop);
  const admin = await signedInAs(shop, 'admin');
  await admin.refunds(order);
  await withoutTable('trail', () => admin.put(`/product/${order.productId}`, { quantity: 5 }));
  const written = lines.map((line) => JSON.parse(line));
  const of = (path: string) => written.filter((line) => line.path === path);
  expect(of('/order')).toMatchObject([{ actor: 'user', actorId: customer.userId }]);
  expect(of('/order/:id')).toMatchObject([{ actor: 'user', actorId: customer.userId, id: order._id }]);
  expect(of('/order/:id/refund')).toMatchObject([{ actor: 'admin', actorId: admin.userId, id: order._id }]);
  const [failed] = of('/product/:id');
  const error = written.find(({ level, requestId }) => level === 50 && requestId === failed.requestId);
  expect(error).toMatchObject({ actor: 'admin', actorId: admin.userId, err: { cause: { code: '42P01' } } });
  expect(of('/webhooks/stripe').every(({ actor, actorId }) => actor === 'provider' && !actorId)).toBe(true);
  shop.expectErrors([{ err: { cause: { code: '42P01' } } }]);
});

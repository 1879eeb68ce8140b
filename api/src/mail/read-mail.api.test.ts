import { expect, test } from 'vitest';
import { aProduct, signedInAs } from '#test/builders.ts';
import { anAccount, askIdentity, fetchAccessToken } from '#test/identity.ts';
import { startForTest, usePerson, useShop } from '#test/use-shop.ts';

const shop = useShop();
const admin = usePerson(shop, 'admin');

const list = (query = '') => admin.get(`/mail${query}`);

test('administrators can read the outbox without a mail server', async () => {
  const customer = await signedInAs(shop, 'user');
  const order = await customer.orders(await aProduct(shop));
  const [mail] = (await list()).body.data;
  expect(mail).toMatchObject({
    kind: 'order-placed',
    to: { _id: customer.userId, name: customer.name, email: customer.email },
    state: 'waiting',
    attempts: 0,
    order: order._id,
  });
  const { status, body } = await admin.get(`/mail/${mail._id}`);
  expect(status).toBe(200);
  expect(body.subject).toMatch(/^Order \d+ placed/);
  expect(body.text).toContain(order._id);
  expect(body.html).toContain('<!doctype html>');
});

test('a mail ends with the configured seller', async () => {
  const settings = {
    SELLER_NAME: 'Fjord Parts AS',
    SELLER_ADDRESS: 'Havnegata 4, Oslo',
    SELLER_EMAIL: 'orders@fjord.example',
  };
  const real = await startForTest({ env: settings, shareDatabaseWith: shop });
  await (await signedInAs(shop, 'user')).orders(await aProduct(shop));
  const [mail] = (await list()).body.data;
  const { body } = await real.request(`/mail/${mail._id}`, { token: admin.token });
  expect(body.text).toMatch(/\n-- \nFjord Parts AS, Havnegata 4, Oslo, orders@fjord\.example\n$/);
  expect(body.html).toContain('>Fjord Parts AS, Havnegata 4, Oslo, orders@fjord.example<');
});

test('mails are listed by page, newest first, and filtered by state', async () => {
  const customer = await signedInAs(shop, 'user');
  const product = await aProduct(shop);
  const [first, second] = [await customer.orders(product), await customer.orders(product)];
  const page = await list('?limit=1');
  expect(page.body.data).toMatchObject([{ order: second._id }]);
  const next = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1] ?? '';
  expect((await admin.get(next)).body.data).toMatchObject([{ order: first._id }]);
  expect((await list('?state=dead')).body.data).toEqual([]);
});

test("an administrator's preview contains no account link", async () => {
  const account = await anAccount(shop);
  await fetchAccessToken(shop, account);
  const [mail] = (await list()).body.data;
  expect(mail).toMatchObject({ kind: 'address-verification', to: { email: account.email } });
  const { body } = await admin.get(`/mail/${mail._id}`);
  expect(body.text).toContain('/hidden-from-administrators');
  expect(body.text + body.html).not.toContain('token=');
  // Reading it creates no link either.
  const { rows } = await shop.pool.query(
    "select * from identity.verification where identifier not like 'mailed-%'",
  );
  expect(rows).toEqual([]);
});

test('a forgotten password needs an administrator if no mail server is set', async () => {
  const account = await anAccount(shop);
  await fetchAccessToken(shop, account);
  const { body } = await askIdentity(shop, '/request-password-reset', { email: account.email });
  expect(body.message).toBe(
    'If this address has an account, the administrators of the shop now see that you wait for a link to a new password.',
  );
  expect((await list()).body.data[0]).toMatchObject({ kind: 'address-verification' });
});

test("a deleted person's mail is listed anonymously and cannot be read", async () => {
  const customer = await signedInAs(shop, 'user');
  await customer.orders(await aProduct(shop));
  const [mail] = (await list()).body.data;
  await admin.delete(`/user/${encodeURIComponent(customer.email)}`);
  const [after] = (await list()).body.data;
  expect(after).toMatchObject({ _id: mail._id, state: 'dropped' });
  expect(after.to).toBeUndefined();
  expect((await admin.get(`/mail/${mail._id}`)).status).toBe(404);
});

import { expect, test } from 'vitest';
import { purgeExpired } from '#src/jobs.ts';
import { findUserByEmail } from '#src/users/store.ts';
import { type Account, aCustomer, anAdministrator, askIdentity, newEmail } from '#test/identity.ts';
import { createMovableClock } from '#test/movable-clock.ts';
import { prepared, useShop } from '#test/use-shop.ts';

const clock = createMovableClock();
const DAY_MS = 24 * 3_600_000;

// A shop without a mail server.
const shop = useShop({ clock });
const admin = prepared(() => anAdministrator(shop));

const ask = (email: string) => askIdentity(shop, '/request-password-reset', { email });
const readAskedAt = async ({ email }: { email: string }) =>
  (await findUserByEmail(shop.db, email))?.passwordAskedAt ?? null;
/** The request is recorded after the answer. */
async function askAndWait(person: { email: string }): Promise<void> {
  await ask(person.email.toUpperCase());
  await expect.poll(() => readAskedAt(person)).not.toBeNull();
}
const listWaiting = async (): Promise<string[]> =>
  (await admin.get('/user?asked=true')).body.map(({ email }: { email: string }) => email);
const path = ({ email }: { email: string }, rest = '') => `/user/${encodeURIComponent(email)}${rest}`;
const makeLink = async (person: Account): Promise<string> =>
  (await admin.post(path(person, '/reset-link'))).body.url;

test('administrators see who waits for a password link, and no others', async () => {
  const [waiting, other] = [await aCustomer(shop), await aCustomer(shop)];
  await askAndWait(waiting);
  expect(await listWaiting()).toEqual([waiting.email]);
  const { body } = await admin.get(`/user?q=${waiting.email}`);
  expect(body[0].passwordAskedAt).toEqual(expect.any(String));
  const others = await admin.get(`/user?q=${other.email}`);
  expect(others.body[0]).not.toHaveProperty('passwordAskedAt');
});

test('known, unknown and administrators’ addresses get the same answer', async () => {
  const customer = await aCustomer(shop);
  const answers = [await ask(customer.email), await ask(newEmail()), await ask(admin.email)];
  expect(new Set(answers.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1);
  expect(answers[0]?.body.message).toContain('the administrators of the shop now see');
  await expect.poll(() => readAskedAt(customer)).not.toBeNull();
  expect(await readAskedAt(admin)).toBeNull();
});

test('a flood of requests writes one', async () => {
  const customer = await aCustomer(shop);
  await askAndWait(customer);
  const first = await readAskedAt(customer);
  clock.aheadMs += 60_000;
  await Promise.all(Array.from({ length: 5 }, () => ask(customer.email)));
  // A later request has arrived, so none is pending.
  await askAndWait(await aCustomer(shop));
  expect(await readAskedAt(customer)).toEqual(first);
});

test('a link from an administrator ends the request', async () => {
  const customer = await aCustomer(shop);
  await askAndWait(customer);
  const url = await makeLink(customer);
  expect(await readAskedAt(customer)).toBeNull();
  await askAndWait(customer);
  const token = new URL(url).hash.replace('#token=', '');
  expect((await askIdentity(shop, '/reset-password', { token, newPassword: 'another-1' })).status).toBe(200);
  expect(await readAskedAt(customer)).toBeNull();
});

test('a new password by the old one ends the request', async () => {
  const customer = await aCustomer(shop);
  await askAndWait(customer);
  const body = { currentPassword: customer.password, newPassword: 'another-1' };
  expect((await askIdentity(shop, '/change-password', body, customer.cookie)).status).toBe(200);
  expect(await readAskedAt(customer)).toBeNull();
});

test('promotion and removal end the request', async () => {
  const [promoted, removed] = [await aCustomer(shop), await aCustomer(shop)];
  for (const person of [promoted, removed]) await askAndWait(person);
  const role = { method: 'PUT', token: admin.token, body: { role: 'admin' } };
  await shop.request(`/user/admin/${encodeURIComponent(promoted.email)}`, role);
  expect(await readAskedAt(promoted)).toBeNull();
  await admin.delete(path(removed));
  const { rows } = await shop.pool.query(
    'select 1 from users where password_asked_at is not null and email = any ($1)',
    [[promoted.email, removed.email]],
  );
  expect(rows).toEqual([]);
});

test('a request ends by itself after a week', async () => {
  const customer = await aCustomer(shop);
  await askAndWait(customer);
  clock.aheadMs += 6 * DAY_MS;
  await purgeExpired(shop.services);
  expect(await readAskedAt(customer)).not.toBeNull();
  clock.aheadMs += DAY_MS + 1;
  await purgeExpired(shop.services);
  expect(await readAskedAt(customer)).toBeNull();
});

import { beforeEach, expect, test } from 'vitest';
import { findUserByEmail } from '#src/users/store.ts';
import { aProduct, orderBody } from '#test/builders.ts';
import {
  type Account,
  aCustomer,
  anAdministrator,
  askIdentity,
  exchange,
  fetchAccessToken,
  fetchIdToken,
  type Member,
  newEmail,
  signIn,
} from '#test/identity.ts';
import { startMailServer } from '#test/mail-server.ts';
import { prepared, useShop } from '#test/use-shop.ts';

const server = prepared(startMailServer, (s) => s.close());
const shop = useShop(() => ({ env: { ...server.env, REQUIRE_VERIFIED_EMAIL: 'on' } }));
beforeEach(() => {
  server.mails.length = 0;
});

/** Secrets of all links mailed to an address, the oldest first. */
async function readTokens(email: string): Promise<string[]> {
  await shop.services.mailer.sendDue();
  return server.to(email).map(({ text }) => /#token=([\w-]+)/.exec(text ?? '')?.[1] ?? '');
}

/** Registers, and reads the link that proves the address. */
async function aRegistered(account?: { email: string; password: string }) {
  const registered = await aCustomer(shop, account);
  const [link = ''] = await readTokens(registered.email);
  return { ...registered, link };
}

const verificationPath = (email: string) => `/user/${encodeURIComponent(email)}/verification`;

const confirm = (person: Member, link: string) => person.put(verificationPath(person.email), { token: link });

const isVerified = async (email: string) => (await findUserByEmail(shop.db, email))?.emailVerified;

/** Requests a reset link, and waits for its mail. */
async function askForReset(email: string): Promise<string> {
  await askIdentity(shop, '/request-password-reset', { email });
  // The mail is written after the answer.
  for (;;) {
    const link = (await readTokens(email)).find((_, index) =>
      server.to(email)[index]?.subject?.includes('password'),
    );
    if (link !== undefined) return link;
  }
}

const setPassword = (token: string, newPassword: string) =>
  askIdentity(shop, '/reset-password', { token, newPassword });

test('registering mails a link that proves the address while signed in', async () => {
  const person = await aRegistered();
  expect(server.to(person.email).map(({ subject }) => subject)).toEqual(['Confirm your email address']);
  expect(await isVerified(person.email)).toBe(false);
  const done = await confirm(person, person.link);
  expect(done.body).toEqual({ verified: true, already: false });
  expect(await isVerified(person.email)).toBe(true);
  // The same session now proves it, and the link is used up.
  const claims = JSON.parse(atob((await fetchIdToken(shop, person)).split('.')[1] ?? ''));
  expect(claims.email_verified).toBe(true);
  expect((await confirm(person, person.link)).body).toEqual({ verified: true, already: true });
});

test('a link proves no other address, and a forged one proves none', async () => {
  const [person, other] = [await aRegistered(), await aRegistered()];
  expect((await confirm(person, other.link)).status).toBe(409);
  expect((await confirm(person, 'x'.repeat(32))).status).toBe(409);
  expect((await confirm({ ...person, email: other.email }, other.link)).status).toBe(403);
  const stranger = await shop.request(verificationPath(person.email), {
    method: 'PUT',
    body: { token: person.link },
  });
  expect(stranger.status).toBe(401);
  expect([await isVerified(person.email), await isVerified(other.email)]).toEqual([false, false]);
});

test('a link works for a day, and the next one ends it', async () => {
  const person = await aRegistered();
  const ask = () => person.post(verificationPath(person.email));
  // The library uses the system clock, so link and mail are backdated.
  const { rows } = await shop.pool.query(
    "update identity.verification set expires_at = expires_at - interval '1 day' returning expires_at",
  );
  expect(Math.abs(rows[0].expires_at.getTime() - Date.now())).toBeLessThan(60_000);
  await shop.pool.query("update mail_outbox set created_at = created_at - interval '1 day'");
  expect((await confirm(person, person.link)).status).toBe(409);

  expect((await ask()).body).toEqual({ verified: false, mailed: true, nextInSeconds: 60 });
  const [, next = ''] = await readTokens(person.email);
  expect((await confirm(person, person.link)).status).toBe(409);
  expect((await confirm(person, next)).body).toEqual({ verified: true, already: false });
  expect((await ask()).body).toEqual({ verified: true, mailed: false, nextInSeconds: 0 });
});

/** The account with a new session. */
async function anewSignIn(account: Account): Promise<Account> {
  const answer = await signIn(shop, account);
  const cookie = answer.headers
    .getSetCookie()
    .map((text) => text.split(';')[0])
    .join('; ');
  return { ...account, cookie };
}

test('a double click within a minute mails one link', async () => {
  const person = await aRegistered();
  for (let press = 0; press < 3; press += 1) {
    await person.post(verificationPath(person.email));
  }
  expect(await readTokens(person.email)).toHaveLength(1);
});

test('a proof older than the address’s proof gets no token', async () => {
  const person = await aRegistered();
  const before = await fetchIdToken(shop, person);
  await confirm(person, person.link);
  expect((await exchange(shop, before, person)).status).toBe(401);
  expect((await exchange(shop, await fetchIdToken(shop, person), person)).status).toBe(200);
});

test('an order needs a proven address if the shop requires it', async () => {
  const person = await aRegistered();
  const product = await aProduct(shop);
  const order = () => person.places(product);
  const refused = await order();
  expect(refused.status).toBe(403);
  expect(refused.body.type).toBe('urn:parts-forge:problem:email-not-verified');
  expect(refused.body.detail).toBe('This shop takes orders only from a confirmed email address.');
  // Validation errors come first.
  const body = { ...orderBody(person, product, 10), totalPrice: 10 * product.price };
  expect((await person.post('/order', body)).status).toBe(422);
  await confirm(person, person.link);
  expect((await order()).status).toBe(200);
});

test('a reset link arrives by mail and works once', async () => {
  const person = await aRegistered();
  const answer = await askIdentity(shop, '/request-password-reset', { email: person.email });
  const unknown = await askIdentity(shop, '/request-password-reset', { email: newEmail() });
  expect(answer.body).toEqual(unknown.body);
  const link = await askForReset(person.email);
  expect((await setPassword(link, 'another-1')).status).toBe(200);
  expect((await setPassword(link, 'another-2')).status).toBe(400);
  expect((await signIn(shop, { ...person, password: 'another-1' })).status).toBe(200);
  expect((await signIn(shop, person)).status).toBe(401);
});

test('a mailed reset proves the address and ends an early registrant’s access', async () => {
  const email = newEmail();
  const squatter = await aRegistered({ email, password: 'squatter-1' });
  const link = await askForReset(email);
  await setPassword(link, 'owner-pass-1');
  const owner = await anewSignIn({ ...squatter, password: 'owner-pass-1' });
  expect((await squatter.get(`/user/${encodeURIComponent(email)}`)).status).toBe(401);
  await fetchAccessToken(shop, owner);
  expect(await isVerified(email)).toBe(true);
});

test('a link from an administrator proves nothing; a mailed one ends it', async () => {
  const admin = await anAdministrator(shop);
  const person = await aRegistered();
  const makeLink = async () => {
    const path = `/user/${encodeURIComponent(person.email)}/reset-link`;
    const { body } = await admin.post(path);
    return body.url.split('token=')[1];
  };
  const first = await makeLink();
  const mailed = await askForReset(person.email);
  expect((await setPassword(first, 'another-1')).status).toBe(400);
  const second = await makeLink();
  expect((await setPassword(mailed, 'another-1')).status).toBe(400);
  expect((await setPassword(second, 'another-1')).status).toBe(200);
  await fetchAccessToken(shop, await anewSignIn({ ...person, password: 'another-1' }));
  expect(await isVerified(person.email)).toBe(false);
});

test('an administrator is mailed no link, and a customer not many', async () => {
  const admin = await anAdministrator(shop);
  const person = await aRegistered();
  await askForReset(person.email);
  await askIdentity(shop, '/request-password-reset', { email: admin.email });
  await askIdentity(shop, '/request-password-reset', { email: person.email });
  // A later request has arrived, so none is pending.
  await askForReset((await aRegistered()).email);
  const subjects = [...server.to(person.email), ...server.to(admin.email)].map(({ subject }) => subject);
  expect(subjects.filter((subject) => subject === 'Set a new password')).toHaveLength(1);
});

test('the database contains no secret of a link', async () => {
  const person = await aRegistered();
  const link = await askForReset(person.email);
  for (const table of ['mail_outbox', 'identity.verification', 'trail']) {
    const { rows } = await shop.pool.query(`select t::text as row from ${table} t`);
    expect(JSON.stringify(rows)).not.toContain(link);
    expect(JSON.stringify(rows)).not.toContain(person.link);
  }
});

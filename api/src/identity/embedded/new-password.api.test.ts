import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { identityVerifications } from '#src/identity/schema.ts';
import { signedInAs } from '#test/builders.ts';
import {
  type Account,
  aCustomer,
  anAccount,
  anAdministrator,
  askIdentity,
  exchange,
  fetchAccessToken,
  fetchIdToken,
  newEmail,
  queueBoth,
  readCookie,
  signIn,
} from '#test/identity.ts';
import { expectRefusal } from '#test/paying.ts';
import { prepared, startForTest, useShop } from '#test/use-shop.ts';
import { awaitWaiting, whileLocked } from '#test/waiting-statements.ts';

const shop = useShop();
const admin = prepared(() => anAdministrator(shop));

const changePassword = ({ cookie, password }: Account, newPassword: string, more = {}) =>
  askIdentity(shop, '/change-password', { currentPassword: password, newPassword, ...more }, cookie);
const askForLink = (email: string, { token } = admin) =>
  shop.request(`/user/${encodeURIComponent(email)}/reset-link`, { method: 'POST', token });
const readToken = (url: string) => new URLSearchParams(new URL(url).hash.slice(1)).get('token') ?? '';
const reset = (token: unknown, newPassword = 'a new one') =>
  askIdentity(shop, '/reset-password', { newPassword, token });
const readProfile = ({ email }: Account, token: string) => shop.request(`/user/${email}`, { token });

const makeLink = async ({ email }: Account) => readToken((await askForLink(email)).body.url);

describe('changing the password', () => {
  it('requires the current one and then accepts the new one', async () => {
    const customer = await aCustomer(shop);
    expect((await changePassword(customer, 'another-1')).status).toBe(200);
    expect((await signIn(shop, customer)).status).toBe(401);
    expect((await signIn(shop, { ...customer, password: 'another-1' })).status).toBe(200);
  });

  it('ends all sessions and tokens, and gives this browser a new session', async () => {
    const customer = await aCustomer(shop);
    const elsewhere = { ...customer, cookie: readCookie(await signIn(shop, customer)) };
    const idToken = await fetchIdToken(shop, elsewhere);
    const token = await fetchAccessToken(shop, elsewhere);
    const answer = await changePassword(customer, 'another-1', { revokeOtherSessions: false });

    expect((await askIdentity(shop, '/token', undefined, elsewhere.cookie)).status).toBe(401);
    for (const ended of [token, customer.token]) {
      expect((await readProfile(customer, ended)).status).toBe(401);
    }
    expectRefusal(await exchange(shop, idToken, customer), 401, 'identity-revoked');
    const cookie = readCookie(answer);
    expect(await fetchAccessToken(shop, { ...customer, cookie })).toMatch(/^[\w-]{43}$/);
  });

  const ways = {
    'a change': (customer: Account) => changePassword(customer, 'another-1'),
    'a reset': async (customer: Account) => reset(await makeLink(customer), 'another-1'),
  };
  it.each(Object.entries(ways))(
    '%s ends sign-ins with the former one that are under way',
    async (_, change) => {
      for (const isFirst of [true, false]) {
        const customer = await aCustomer(shop);
        const acts = [() => change(customer), () => signIn(shop, customer)] as const;
        const answers = await queueBoth(shop, customer, acts[isFirst ? 0 : 1], acts[isFirst ? 1 : 0]);
        const [changed, old] = isFirst ? answers : answers.toReversed();
        expect([changed?.status, old?.status]).toEqual([200, isFirst ? 401 : 200]);
        expect((await askIdentity(shop, '/token', undefined, old && readCookie(old))).status).toBe(401);
        expect((await signIn(shop, customer)).status).toBe(401);
      }
    },
  );

  it.each(Object.entries(ways))('%s stands beside a change by the former one', async (_, change) => {
    const customer = await aCustomer(shop);
    const cookie = readCookie(await signIn(shop, customer));
    const [changed, thief] = await queueBoth(
      shop,
      customer,
      () => change(customer),
      () => changePassword({ ...customer, cookie }, 'of a thief'),
    );
    expect([changed.status, thief.status]).toEqual([200, 401]);
    expect((await signIn(shop, { ...customer, password: 'another-1' })).status).toBe(200);
  });

  it.each(Object.entries(ways))('%s locks the person first, as every act does', async (_, change) => {
    const customer = await aCustomer(shop);
    const lock = ['select from users where email = $1 for no key update', customer.email] as const;
    const changed = await whileLocked(shop, lock, async (client) => {
      const changed = change(customer);
      await awaitWaiting(client, 1);
      // An act would wait here, and the change for the act.
      await client.query(
        'select from access_tokens t join users u on u.id = t.user_id where u.email = $1 for update of t nowait',
        [customer.email],
      );
      return { answer: changed };
    });
    expect((await changed.answer).status).toBe(200);
  });

  it('refuses a wrong password, a missing session, and a bad new password', async () => {
    const customer = await aCustomer(shop);
    const wrong = await changePassword({ ...customer, password: 'not it' }, 'another-1');
    expect([wrong.status, wrong.body.code]).toEqual([400, 'INVALID_PASSWORD']);
    expect((await changePassword({ ...customer, cookie: '' }, 'another-1')).status).toBe(401);
    const short = await changePassword(customer, '12345');
    expect([short.status, short.body.code]).toEqual([400, 'PASSWORD_TOO_SHORT']);
    expect((await changePassword(customer, 'x'.repeat(129))).status).toBe(400);
    expect((await signIn(shop, customer)).status).toBe(200);
  });

  it('allows no faster guessing with a stolen session', async () => {
    const customer = await aCustomer(shop);
    const statuses: number[] = [];
    for (let n = 0; n < 7; n += 1) {
      statuses.push((await changePassword({ ...customer, password: `guess ${n}` }, 'another-1')).status);
    }
    expect(statuses).toEqual([400, 400, 400, 400, 400, 429, 429]);
    expect((await signIn(shop, customer, customer.cookie)).status).toBe(429);
  });
});

describe('a forgotten password', () => {
  it('gets the same answer for every address and makes no link', async () => {
    const customer = await aCustomer(shop);
    const ask = (email: string) => askIdentity(shop, '/request-password-reset', { email });
    const before = await shop.db.select().from(identityVerifications);
    const answers = [await ask(customer.email), await ask(newEmail()), await ask(admin.email)];
    for (const { status, body } of answers) {
      expect([status, body]).toEqual([
        200,
        {
          status: true,
          message:
            'If this address has an account, the administrators of the shop now see that you wait for a link to a new password.',
        },
      ]);
    }
    expect(await shop.db.select().from(identityVerifications)).toEqual(before);
    expect((await ask('nobody')).status).toBe(400);
  });

  it('is reset once by an administrator’s link, within an hour', async () => {
    const customer = await aCustomer(shop);
    const link = await askForLink(customer.email.toUpperCase());
    expect([link.status, link.body]).toEqual([200, { url: expect.any(String), expiresIn: 3600 }]);
    expect(link.headers.get('cache-control')).toBe('no-store');
    expect(link.body.url).toMatch(/^http:\/\/localhost:\d+\/reset-password#token=[\w-]{32}$/);

    expect((await reset(readToken(link.body.url))).body).toEqual({ status: true });
    expect((await signIn(shop, customer)).status).toBe(401);
    expect((await signIn(shop, { ...customer, password: 'a new one' })).status).toBe(200);
    const again = await reset(readToken(link.body.url), 'a third one');
    expect([again.status, again.body.code]).toEqual([400, 'INVALID_TOKEN']);
  });

  it('ends every session and token when reset', async () => {
    const customer = await aCustomer(shop);
    const idToken = await fetchIdToken(shop, customer);
    await reset(await makeLink(customer));
    expect((await askIdentity(shop, '/token', undefined, customer.cookie)).status).toBe(401);
    expect((await readProfile(customer, customer.token)).status).toBe(401);
    expect((await exchange(shop, idToken, customer)).status).toBe(401);
  });

  it('is reset despite a wait after wrong passwords, and ends the wait', async () => {
    const customer = await aCustomer(shop);
    for (let n = 0; n < 5; n += 1) await signIn(shop, { ...customer, password: 'wrong-one' });
    expect((await signIn(shop, customer)).status).toBe(429);
    await reset(await makeLink(customer));
    expect((await signIn(shop, { ...customer, password: 'a new one' })).status).toBe(200);
  });

  it('is reset by one of two simultaneous uses of the link', async () => {
    for (let round = 0; round < 5; round += 1) {
      const token = await makeLink(await aCustomer(shop));
      const answers = await Promise.all([reset(token, 'from the one'), reset(token, 'from the other')]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    }
  });

  it('is reset only by the last link, and not after its expiry', async () => {
    const customer = await aCustomer(shop);
    const [first, second] = [await makeLink(customer), await makeLink(customer)];
    expect((await reset(first)).body.code).toBe('INVALID_TOKEN');
    await shop.db
      .update(identityVerifications)
      .set({ expiresAt: new Date(Date.now() - 1000) })
      .where(eq(identityVerifications.id, `reset-password ${await findSubject(customer)}`));
    expect((await reset(second)).body.code).toBe('INVALID_TOKEN');
    expect((await signIn(shop, customer)).status).toBe(200);
  });

  it('is not reset by an invented token or one in the URL', async () => {
    const token = await makeLink(await aCustomer(shop));
    for (const forged of ['', 'x'.repeat(32), `${token}x`, token.slice(1), 7, null, { length: 1 }]) {
      expect((await reset(forged)).status).toBe(400);
    }
    const inAddress = await askIdentity(shop, `/reset-password?token=${token}`, { newPassword: 'a new one' });
    expect(inAddress.status).toBe(400);
    expect((await reset(token)).status).toBe(200);
  });

  it('keeps its link when the new password is refused', async () => {
    const token = await makeLink(await aCustomer(shop));
    const refused = await reset(token, '12345');
    expect([refused.status, refused.body.code]).toEqual([400, 'PASSWORD_TOO_SHORT']);
    expect((await reset(token)).status).toBe(200);
  });

  it('leaves no readable link in the database', async () => {
    const token = await makeLink(await aCustomer(shop));
    const rows = await shop.db.select().from(identityVerifications);
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(token);
  });
});

describe('POST /user/{email}/reset-link', () => {
  it('creates no link for an administrator or past a promotion', async () => {
    const other = await anAdministrator(shop);
    for (const { email } of [admin, other]) {
      const answer = await askForLink(email);
      expectRefusal(answer, 409, 'no-link-for-admin');
      expect(answer.body.title).toBe("An administrator's password is not set by a link");
      expect(answer.body.detail).toContain('create-admin');
    }
    const customer = await aCustomer(shop);
    const token = await makeLink(customer);
    await admin.put(`/user/admin/${customer.email}`, { role: 'admin' });
    expect((await reset(token, 'a long enough one')).body.code).toBe('INVALID_TOKEN');
    expect((await signIn(shop, customer)).status).toBe(200);
  });

  it('answers 404 for an unknown address and an unknown account', async () => {
    expect((await askForLink(newEmail())).status).toBe(404);
    expect((await askForLink((await signedInAs(shop, 'user')).email)).status).toBe(404);
  });

  it('uses the shop’s public origin if it has one', async () => {
    const env = { ORIGIN: 'https://shop.example', PAYMENTS: 'sandbox' };
    const publicShop = await startForTest({ shareDatabaseWith: shop, env });
    const { email } = await aCustomer(shop);
    const { body } = await publicShop.request(`/user/${email}/reset-link`, {
      method: 'POST',
      token: admin.token,
    });
    expect(body.url).toMatch(/^https:\/\/shop\.example\/reset-password#token=/);
  });
});

describe('the most common passwords', () => {
  it('are refused to administrators, like all under twelve characters', async () => {
    const person = await anAdministrator(shop);
    const common = await changePassword(person, '1Q2W3E4R5T6Y');
    expect([common.status, common.body.code]).toEqual([400, 'PASSWORD_TOO_COMMON']);
    const short = await changePassword(person, 'eleven char');
    expect([short.status, short.body.code]).toEqual([400, 'PASSWORD_TOO_SHORT']);
    expect((await changePassword(person, 'twelve chars')).status).toBe(200);
  });

  it('are allowed to customers', async () => {
    const customer = await aCustomer(shop);
    expect((await changePassword(customer, '123456')).status).toBe(200);
    expect((await anAccount(shop, { password: 'qwerty' })).cookie).not.toBe('');
  });

  it('are refused to everybody with COMMON_PASSWORDS=refuse', async () => {
    const strict = await startForTest({ shareDatabaseWith: shop, env: { COMMON_PASSWORDS: 'refuse' } });
    const customer = await aCustomer(shop);
    const token = await makeLink(customer);
    const answers = [
      await askIdentity(strict, '/sign-up/email', { email: newEmail(), name: 'A', password: 'Password1' }),
      await askIdentity(strict, '/reset-password', { newPassword: 'password', token }),
      await askIdentity(
        strict,
        '/change-password',
        { currentPassword: customer.password, newPassword: 'iloveyou' },
        customer.cookie,
      ),
    ];
    for (const { status, body } of answers) expect([status, body.code]).toEqual([400, 'PASSWORD_TOO_COMMON']);
    expect((await anAccount(strict, { password: 'not so common' })).cookie).not.toBe('');
  });
});

async function findSubject({ email }: Account): Promise<string> {
  const { rows } = await shop.pool.query('select id from identity."user" where email = $1', [email]);
  return rows[0].id;
}

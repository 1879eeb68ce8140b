import { describe, expect, it } from 'vitest';
import { createAdmin } from '#src/identity/administrators.ts';
import { requestContext } from '#src/platform/core/request-context.ts';
import type { Answer } from '#test/answer.ts';
import { computeCode, holdStep } from '#test/authenticator.ts';
import {
  type Account,
  aCustomer,
  anAccount,
  anAdministrator,
  askIdentity,
  type Member,
  readCookie,
  signIn,
} from '#test/identity.ts';
import { readActivity } from '#test/trail.ts';
import { useShop } from '#test/use-shop.ts';

const lines: string[] = [];
const shop = useShop({ onLine: (line) => void lines.push(line) });

holdStep();

const aMember = () => aCustomer(shop);
const anAdmin = () => anAdministrator(shop);

const post = ({ cookie }: Pick<Account, 'cookie'>, path: string, body: object) =>
  askIdentity(shop, path, body, cookie);
const changePassword = (member: Account, newPassword: string) =>
  post(member, '/change-password', { currentPassword: member.password, newPassword });
const listSessions = async (member: Member): Promise<{ id: string; token: string }[]> =>
  (await askIdentity(shop, '/list-sessions', undefined, member.cookie)).body;
const readEntries = ({ userId }: Member) => readActivity(shop, `?who=${userId}`);
const readRequestId = ({ headers }: Answer) => headers.get('x-request-id');

/** Switches the second factor on; `cookie` is of the new session. */
async function switchOn(admin: Member) {
  const { body } = await post(admin, '/two-factor/enable', { password: admin.password });
  const answer = await post(admin, '/two-factor/verify-totp', { code: computeCode(body.totpURI, -1) });
  return { ...admin, totpUri: body.totpURI as string, cookie: readCookie(answer), answer };
}

describe('the trail of changes to one’s own sign-in', () => {
  it('records a changed password', async () => {
    const customer = await aMember();
    const answer = await changePassword(customer, 'another-1');
    expect(answer.status).toBe(200);
    expect(await readEntries(customer)).toEqual([
      {
        _id: expect.any(String),
        at: expect.any(String),
        event: 'password-changed',
        by: { kind: 'user', _id: customer.userId, name: customer.name },
        user: { _id: customer.userId, name: customer.name, email: customer.email },
        requestId: readRequestId(answer),
      },
    ]);
  });

  it('records an ended session once, and no missing one', async () => {
    const customer = await aMember();
    await signIn(shop, customer);
    await signIn(shop, customer);
    const others = (await listSessions(customer)).slice(1);
    const victim = await aMember();
    const [foreign] = await listSessions(victim);
    const end = (token: string | undefined) => post(customer, '/revoke-session', { token });
    const answers = await Promise.all([...others, ...others].map(({ token }) => end(token)));
    await end('x'.repeat(32));
    await end(foreign?.token);

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const entries = await readEntries(customer);
    expect(entries.map(({ event }) => event)).toEqual(['session-ended', 'session-ended']);
    const requestIds = answers.map(readRequestId);
    for (const { requestId } of entries) expect(requestIds).toContain(requestId);
    expect(await readEntries(victim)).toEqual([]);
  });

  it('records a second factor and backup codes, but no sign-in', async () => {
    const admin = await anAdmin();
    const secured = await switchOn(admin);
    const begun = await signIn(shop, secured);
    const code = computeCode(secured.totpUri);
    const signedIn = await post({ cookie: readCookie(begun) }, '/two-factor/verify-totp', { code });
    expect(signedIn.status).toBe(200);
    const made = await post(secured, '/two-factor/generate-backup-codes', { password: admin.password });
    const off = await post(secured, '/two-factor/disable', { password: admin.password });

    expect((await readEntries(admin)).map(({ event, by, requestId }) => [event, by.kind, requestId])).toEqual(
      [
        ['second-factor-off', 'admin', readRequestId(off)],
        ['backup-codes-made', 'admin', readRequestId(made)],
        ['second-factor-on', 'admin', readRequestId(secured.answer)],
      ],
    );
  });

  it('names the owner of a reset password, not the link’s user', async () => {
    const [customer, admin] = [await aMember(), await anAdmin()];
    const path = `/user/${encodeURIComponent(customer.email)}/reset-link`;
    const { body } = await admin.post(path);
    const token = new URLSearchParams(new URL(body.url).hash.slice(1)).get('token');
    const answer = await askIdentity(shop, '/reset-password', { newPassword: 'a new one', token });
    expect(answer.status).toBe(200);

    const [entry] = await readActivity(shop, `?what=password-reset&q=${encodeURIComponent(customer.email)}`);
    expect(entry).toMatchObject({
      by: { kind: 'visitor' },
      user: { _id: customer.userId },
      requestId: readRequestId(answer),
    });
    expect(entry?.by).toEqual({ kind: 'visitor' });
  });

  it('records an administrator’s password set by the operator', async () => {
    const admin = await anAdmin();
    const { email, name } = admin;
    await requestContext.run({ requestId: admin.userId, actor: { kind: 'operator', id: null } }, () =>
      createAdmin(shop.services, { email, name, password: 'a longer one still' }),
    );
    const [entry] = await readActivity(shop, `?what=password-changed&q=${encodeURIComponent(email)}`);
    expect(entry).toMatchObject({ by: { kind: 'operator' }, user: { _id: admin.userId } });
  });

  it('records no refused change and no secret', async () => {
    const admin = await anAdmin();
    const wrong = { ...admin, password: 'not the password' };
    expect((await changePassword(wrong, 'a new long password')).status).toBe(400);
    expect((await post(wrong, '/two-factor/disable', { password: wrong.password })).status).toBe(400);
    expect(await readEntries(admin)).toEqual([]);

    await changePassword(admin, 'a new long password');
    const { rows } = await shop.pool.query('select * from trail where user_id = $1', [admin.userId]);
    expect(JSON.stringify(rows)).toContain('password-changed');
    expect(JSON.stringify(rows)).not.toMatch(/a new long password|argon2/);
  });

  it('omits an account that was never exchanged for a user', async () => {
    const account = await anAccount(shop);
    const answer = await changePassword(account, 'another-1');
    expect(answer.status).toBe(200);
    const { rows } = await shop.pool.query('select 1 from trail where request_id = $1', [
      readRequestId(answer),
    ]);
    expect(rows).toEqual([]);
  });
});

it('an act fails if its entry cannot be written', async () => {
  const admin = await switchOn(await anAdmin());
  await signIn(shop, await aMember());
  const [session] = await listSessions(admin);
  await shop.pool.query('alter table trail rename to trail_away');
  const answers = [
    await changePassword(admin, 'a new long password'),
    await post(admin, '/two-factor/disable', { password: admin.password }),
    await post(admin, '/revoke-session', { token: session?.token }),
  ];
  await shop.pool.query('alter table trail_away rename to trail');

  expect(answers.map(({ status }) => status)).toEqual([500, 500, 500]);
  expect(await listSessions(admin)).toHaveLength(1);
  // The old password still works, and a code is still required.
  expect((await signIn(shop, admin)).body).toMatchObject({ twoFactorRedirect: true });
  const unwritten = { err: { cause: { code: '42P01' } } };
  shop.expectErrors([unwritten, unwritten, { code: '42P01' }]);
});

describe('the log line of a call of the identity service', () => {
  const readLine = (answer: Answer) =>
    lines
      .map((line) => JSON.parse(line))
      .find(({ msg, requestId }) => msg === 'answered' && requestId === readRequestId(answer));

  it('names the session’s user and the user who signed in', async () => {
    const customer = await aMember();
    for (const answer of [
      await signIn(shop, customer),
      await post(customer, '/change-password', { currentPassword: 'not it', newPassword: 'x' }),
      await post(customer, '/sign-out', {}),
    ]) {
      expect(readLine(answer)).toMatchObject({ actor: 'user', actorId: customer.userId });
    }
  });

  it('names nobody before proof of identity', async () => {
    const customer = await aMember();
    const wrong = await signIn(shop, { ...customer, password: 'not it' });
    const secured = await switchOn(await anAdmin());
    const halfSignedIn = await signIn(shop, secured);
    for (const answer of [wrong, halfSignedIn]) {
      expect(readLine(answer)).toMatchObject({ path: '/identity/sign-in/email' });
      expect(readLine(answer)).not.toHaveProperty('actor');
    }
    const cookie = readCookie(halfSignedIn);
    const verified = await post({ cookie }, '/two-factor/verify-totp', {
      code: computeCode(secured.totpUri),
    });
    expect(readLine(verified)).toMatchObject({ actor: 'admin', actorId: secured.userId });
  });
});

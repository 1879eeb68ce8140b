import { describe, expect, it, vi } from 'vitest';
import { identityTwoFactors, identityUsedCodes } from '#src/identity/schema.ts';
import { computeCode, holdStep } from '#test/authenticator.ts';
import { aProduct, signedInAs } from '#test/builders.ts';
import {
  anAccount,
  anAdministrator,
  askIdentity,
  exchange,
  fetchAccessToken,
  fetchIdToken,
  type Member,
  queueBoth,
  readCookie,
  signIn,
} from '#test/identity.ts';
import { expectRefusal, readCode } from '#test/paying.ts';
import type { TestShop } from '#test/start-shop.ts';
import { startForTest, useShop } from '#test/use-shop.ts';
import { purgeExpiredAccounts } from './accounts.ts';

const shop = useShop();
const strict = useShop({ shareDatabaseWith: shop, env: { ADMIN_SECOND_FACTOR: 'required' } });
holdStep();

/** An administrator with a second factor; `cookie` is of the new session. */
type Secured = Member & { totpUri: string; backupCodes: string[] };

const post = (path: string, body: object, cookie?: string) =>
  askIdentity(shop, `/two-factor${path}`, body, cookie);
const verifyCode = (code: string, cookie?: string, more = {}) =>
  post('/verify-totp', { code, ...more }, cookie);
const verifyBackupCode = (code: string, cookie?: string, more = {}) =>
  post('/verify-backup-code', { code, ...more }, cookie);

async function switchOn(admin: Member): Promise<Secured> {
  const setUp = await post('/enable', { password: admin.password }, admin.cookie);
  if (setUp.status !== 200) throw new Error(`It was refused: ${JSON.stringify(setUp.body)}`);
  const { totpURI: totpUri, backupCodes } = setUp.body;
  // The previous step is still valid, and leaves this one and the next to the test.
  const verified = await verifyCode(computeCode(totpUri, -1), admin.cookie);
  if (verified.status !== 200) throw new Error(`The code was refused: ${JSON.stringify(verified.body)}`);
  return { ...admin, totpUri, backupCodes, cookie: readCookie(verified) };
}
const aSecuredAdministrator = async () => switchOn(await anAdministrator(shop));

/** Gives the right password; returns the cookie for the code. */
async function beginSignIn(admin: Member, cookie?: string): Promise<string> {
  const answer = await signIn(shop, admin, cookie);
  expect([answer.status, answer.body]).toEqual([
    200,
    { twoFactorRedirect: true, twoFactorMethods: ['totp'] },
  ]);
  return readCookie(answer);
}

it('a new password ends a sign-in that waits for the code', async () => {
  const admin = await aSecuredAdministrator();
  const waiting = await beginSignIn(admin);
  const newPassword = 'a quite different one';
  const body = { currentPassword: admin.password, newPassword };
  expect((await askIdentity(shop, '/change-password', body, admin.cookie)).status).toBe(200);
  expect((await verifyCode(computeCode(admin.totpUri), waiting)).status).toBe(401);
  const again = await beginSignIn({ ...admin, password: newPassword });
  expect((await verifyCode(computeCode(admin.totpUri), again)).status).toBe(200);
});

describe('a new password, for which an act by the former one waits', () => {
  const newPassword = 'a quite different one';
  const change = (admin: Member) => {
    const body = { currentPassword: admin.password, newPassword };
    return askIdentity(shop, '/change-password', body, admin.cookie);
  };
  const signInAnew = async (admin: Member) =>
    (await signIn(shop, { ...admin, password: newPassword })).body.twoFactorRedirect;

  it('ends a sign-in whose code comes then', async () => {
    const admin = await aSecuredAdministrator();
    const waiting = await beginSignIn(admin);
    const answers = await queueBoth(
      shop,
      admin,
      () => change(admin),
      () => verifyCode(computeCode(admin.totpUri), waiting),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 401]);
  });

  it('keeps a second factor that is switched off then', async () => {
    const admin = await aSecuredAdministrator();
    const answers = await queueBoth(
      shop,
      admin,
      () => change(admin),
      () => post('/disable', { password: admin.password }, admin.cookie),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 401]);
    expect(await signInAnew(admin)).toBe(true);
  });

  it('prevents a second factor that is switched on then', async () => {
    const admin = await anAdministrator(shop);
    const thief = { ...admin, cookie: readCookie(await signIn(shop, admin)) };
    const setUp = await post('/enable', { password: admin.password }, thief.cookie);
    const answers = await queueBoth(
      shop,
      admin,
      () => change(admin),
      () => verifyCode(computeCode(setUp.body.totpURI), thief.cookie),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 401]);
    expect(await signInAnew(admin)).toBeUndefined();
  });
});

describe('keys of an administrator', () => {
  it('keys lose the second factor when their maker disables it', async () => {
    const admin = await aSecuredAdministrator();
    const token = await fetchAccessToken(shop, admin);
    const body = { name: 'ERP', scopes: ['orders:read'] };
    const made = await strict.request('/key', { method: 'POST', token, body });
    const read = async (at: TestShop) => (await at.request('/order', { token: made.body.key })).status;
    expect([await read(strict), await read(shop)]).toEqual([200, 200]);
    expect((await post('/disable', { password: admin.password }, admin.cookie)).status).toBe(200);
    await vi.waitFor(async () => expect([await read(strict), await read(shop)]).toEqual([403, 200]));
  });
});

describe('switching a second factor on', () => {
  it('shows secret and ten codes once, and takes effect with a code', async () => {
    const admin = await anAdministrator(shop);
    const setUp = await post('/enable', { password: admin.password }, admin.cookie);
    expect(setUp.body.totpURI).toMatch(/^otpauth:\/\/totp\/Parts%20Forge:/);
    expect(setUp.body.backupCodes).toHaveLength(10);
    expect(new Set(setUp.body.backupCodes).size).toBe(10);
    expect((await signIn(shop, admin)).body.user.email).toBe(admin.email);

    expect((await verifyCode('000000', admin.cookie)).status).toBe(401);
    expect((await verifyCode(computeCode(setUp.body.totpURI), admin.cookie)).status).toBe(200);
    await beginSignIn(admin);
  });

  it("names the account by the seller's name", async () => {
    const { password, cookie } = await anAdministrator(shop);
    const env = { SELLER_NAME: 'Nordlys Parts', SELLER_ADDRESS: 'Kaigata 1, Tromsø' };
    const named = await startForTest({ shareDatabaseWith: shop, env });
    const setUp = await askIdentity(named, '/two-factor/enable', { password }, cookie);
    expect(setUp.body.totpURI).toMatch(/^otpauth:\/\/totp\/Nordlys%20Parts:/);
  });

  it('requires the password, a session and an administrator', async () => {
    const admin = await anAdministrator(shop);
    const wrong = await post('/enable', { password: 'not it' }, admin.cookie);
    expect([wrong.status, wrong.body.code]).toEqual([400, 'INVALID_PASSWORD']);
    expect((await post('/enable', { password: admin.password })).status).toBe(401);
    const customer = await anAccount(shop);
    await fetchAccessToken(shop, customer);
    const refused = await post('/enable', { password: customer.password }, customer.cookie);
    expect([refused.status, refused.body.code]).toEqual([403, 'ADMINISTRATORS_ONLY']);
  });

  it('ends every other session and every earlier token', async () => {
    const admin = await anAdministrator(shop);
    const elsewhere = { ...admin, cookie: readCookie(await signIn(shop, admin)) };
    const idToken = await fetchIdToken(shop, elsewhere);
    const token = await fetchAccessToken(shop, elsewhere);
    const secured = await switchOn(admin);

    for (const { cookie } of [admin, elsewhere]) {
      expect((await askIdentity(shop, '/token', undefined, cookie)).status).toBe(401);
    }
    for (const old of [token, admin.token]) {
      expect((await shop.request('/user', { token: old })).status).toBe(401);
    }
    expect((await exchange(shop, idToken, admin)).status).toBe(401);
    expect(await fetchAccessToken(shop, secured)).toMatch(/^[\w-]{43}$/);
  });

  it('keeps the first secret when repeated', async () => {
    const secured = await aSecuredAdministrator();
    const again = await post('/enable', { password: secured.password }, secured.cookie);
    expect([again.status, again.body.code]).toEqual([400, 'TOTP_ALREADY_ENABLED']);
  });

  it('stores neither secret nor codes in readable form', async () => {
    const { totpUri, backupCodes } = await aSecuredAdministrator();
    const rows = JSON.stringify(await shop.db.select().from(identityTwoFactors));
    expect(rows).not.toContain(new URL(totpUri).searchParams.get('secret'));
    for (const code of backupCodes) expect(rows).not.toContain(code);
  });
});

describe('signing in with a second factor', () => {
  it('opens no session before the code', async () => {
    const secured = await aSecuredAdministrator();
    const cookie = await beginSignIn(secured);
    expect((await askIdentity(shop, '/token', undefined, cookie)).status).toBe(401);
    expect((await askIdentity(shop, '/get-session', undefined, cookie)).body).toBeNull();

    const verified = await verifyCode(computeCode(secured.totpUri), cookie);
    expect([verified.status, verified.body.user.email]).toEqual([200, secured.email]);
    const signedIn = { ...secured, cookie: readCookie(verified) };
    expect((await shop.request('/user', { token: await fetchAccessToken(shop, signedIn) })).status).toBe(200);
  });

  it('accepts a code once, also of two simultaneous sign-ins', async () => {
    const secured = await aSecuredAdministrator();
    const cookies = [await beginSignIn(secured), await beginSignIn(secured)];
    const code = computeCode(secured.totpUri);
    const answers = await Promise.all(cookies.map((cookie) => verifyCode(code, cookie)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);

    const replayed = await verifyCode(code, await beginSignIn(secured));
    expect([replayed.status, replayed.body.code]).toEqual([401, 'INVALID_CODE']);
    expect((await askIdentity(shop, '/token', undefined, readCookie(replayed))).status).toBe(401);
    expect((await verifyCode(computeCode(secured.totpUri, 1), await beginSignIn(secured))).status).toBe(200);
  });

  it('refuses the code that switched it on', async () => {
    const admin = await anAdministrator(shop);
    const { body } = await post('/enable', { password: admin.password }, admin.cookie);
    const code = computeCode(body.totpURI);
    await verifyCode(code, admin.cookie);
    expect((await verifyCode(code, await beginSignIn(admin))).status).toBe(401);
  });

  it('purges used codes after their validity', async () => {
    await aSecuredAdministrator();
    await purgeExpiredAccounts(shop.db, new Date());
    expect(await shop.db.$count(identityUsedCodes)).toBeGreaterThan(0);
    await purgeExpiredAccounts(shop.db, new Date(Date.now() + 11 * 60_000));
    expect(await shop.db.$count(identityUsedCodes)).toBe(0);
  });

  it('accepts a backup code once, also of two simultaneous sign-ins', async () => {
    const secured = await aSecuredAdministrator();
    const [one = '', two = ''] = secured.backupCodes;
    expect((await verifyBackupCode(one, await beginSignIn(secured))).status).toBe(200);
    const again = await verifyBackupCode(one, await beginSignIn(secured));
    expect([again.status, again.body.code]).toEqual([401, 'INVALID_BACKUP_CODE']);
    const cookies = [await beginSignIn(secured), await beginSignIn(secured)];
    const answers = await Promise.all(cookies.map((cookie) => verifyBackupCode(two, cookie)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    // Either refusal is right: the code was gone before, or went during the request.
    const [refused] = answers.filter(({ status }) => status !== 200);
    expect([
      [401, 'INVALID_BACKUP_CODE'],
      [409, 'CONFLICT'],
    ]).toContainEqual([refused?.status, refused?.body.code]);
    expect(refused?.body.detail).toBe(refused?.body.message);
  });

  it('refuses old backup codes once new ones exist', async () => {
    const secured = await aSecuredAdministrator();
    const made = await post('/generate-backup-codes', { password: secured.password }, secured.cookie);
    expect(made.body.backupCodes).toHaveLength(10);
    const [old = ''] = secured.backupCodes;
    expect((await verifyBackupCode(old, await beginSignIn(secured))).status).toBe(401);
    expect((await verifyBackupCode(made.body.backupCodes[0], await beginSignIn(secured))).status).toBe(200);
  });

  it('ends after five wrong codes, and locks after ten', async () => {
    const secured = await aSecuredAdministrator();
    const giveWrongOnes = async () => {
      const cookie = await beginSignIn(secured);
      const answers = [];
      for (let n = 0; n < 6; n += 1) answers.push((await verifyCode('000000', cookie)).body.code);
      return answers;
    };
    expect(await giveWrongOnes()).toEqual([
      ...Array(5).fill('INVALID_CODE'),
      'TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE',
    ]);
    expect((await giveWrongOnes()).slice(0, 5)).toEqual(Array(5).fill('INVALID_CODE'));
    const locked = await verifyCode(computeCode(secured.totpUri), await beginSignIn(secured));
    expect([locked.status, locked.body.code]).toEqual([429, 'ACCOUNT_TEMPORARILY_LOCKED']);
    await shop.db.update(identityTwoFactors).set({ lockedUntil: new Date(Date.now() - 1000) });
    expect((await verifyCode(computeCode(secured.totpUri), await beginSignIn(secured))).status).toBe(200);
  });

  it('counts simultaneous wrong codes one by one', async () => {
    const secured = await aSecuredAdministrator();
    const cookie = await beginSignIn(secured);
    const answers = await Promise.all(Array.from({ length: 20 }, () => verifyCode('000000', cookie)));
    const looked = answers.filter(({ body }) => body.code === 'INVALID_CODE');
    expect(looked.length).toBeLessThanOrEqual(5);
  });

  it('remembers no browser in place of the code', async () => {
    const secured = await aSecuredAdministrator();
    const verified = await verifyCode(computeCode(secured.totpUri), await beginSignIn(secured), {
      trustDevice: true,
    });
    expect(verified.status).toBe(200);
    expect(readCookie(verified)).not.toContain('trust_device');
    await beginSignIn(secured, readCookie(verified));
  });

  it('needs the password before the code', async () => {
    const secured = await aSecuredAdministrator();
    const code = computeCode(secured.totpUri);
    for (const cookie of [undefined, 'shop.two_factor=forged', 'shop.two_factor=forged.signature']) {
      const answer = await verifyCode(code, cookie);
      expect([answer.status, answer.body.code]).toEqual([401, 'INVALID_TWO_FACTOR_COOKIE']);
    }
    const [backup = ''] = secured.backupCodes;
    expect((await verifyBackupCode(backup)).status).toBe(401);
    // A backup code is not used up without a session either.
    const secondStep = await verifyBackupCode(backup, await beginSignIn(secured), { disableSession: true });
    expect((await askIdentity(shop, '/token', undefined, readCookie(secondStep))).status).toBe(200);
  });

  it('keeps the second factor through a password change', async () => {
    const secured = await aSecuredAdministrator();
    const changed = await askIdentity(
      shop,
      '/change-password',
      { currentPassword: secured.password, newPassword: 'another long one' },
      secured.cookie,
    );
    const cookie = readCookie(changed);
    const token = await fetchAccessToken(strict, { ...secured, cookie });
    expect((await strict.request('/user', { token })).status).toBe(200);
    await beginSignIn({ ...secured, password: 'another long one' });
  });

  it('needs no code after switching off, which ends other sessions', async () => {
    const secured = await aSecuredAdministrator();
    const wrong = await post('/disable', { password: 'not it' }, secured.cookie);
    expect([wrong.status, wrong.body.code]).toEqual([400, 'INVALID_PASSWORD']);
    const verified = await verifyCode(computeCode(secured.totpUri), await beginSignIn(secured));
    expect((await post('/disable', { password: secured.password }, secured.cookie)).status).toBe(200);
    expect((await askIdentity(shop, '/token', undefined, readCookie(verified))).status).toBe(401);
    expect((await signIn(shop, secured)).body.user.email).toBe(secured.email);
  });
});

describe('ADMIN_SECOND_FACTOR=required', () => {
  const ask = (path: string, token: string, method = 'GET') => strict.request(path, { method, token });

  it('tells the page', async () => {
    expect((await strict.request('/config')).body.identity).toEqual({
      kind: 'embedded',
      google: false,
      selfService: true,
      mail: false,
      adminSecondFactor: 'required',
    });
  });

  it('closes administration without a second factor, but not one’s own account', async () => {
    const admin = await anAdministrator(shop);
    const customer = await signedInAs(shop, 'user');
    const order = await customer.orders(await aProduct(shop));
    const refused = [
      await ask('/user', admin.token),
      await ask('/order', admin.token),
      await ask(`/order?email=${customer.email}`, admin.token),
      await ask(`/order/${order._id}`, admin.token),
      await ask(`/order/${order._id}`, admin.token, 'DELETE'),
      await ask(`/user/${customer.email}`, admin.token),
      await ask(`/user/${customer.email}`, admin.token, 'DELETE'),
      await ask(`/user/${customer.email}/reset-link`, admin.token, 'POST'),
      await ask('/images/key', admin.token, 'POST'),
    ];
    for (const answer of refused) {
      expectRefusal(answer, 403, 'second-factor-required');
    }
    expect((await ask(`/user/${admin.email}`, admin.token)).body.role).toBe('admin');
    expect((await ask(`/user/${admin.email}/data`, admin.token)).status).toBe(200);
    expect((await ask(`/user/${customer.email}`, customer.token)).status).toBe(200);
    expect((await ask('/logout', admin.token, 'POST')).status).toBe(204);
  });

  it('opens administration after switching on, and after either kind of code', async () => {
    const secured = await aSecuredAdministrator();
    const cookies = [
      secured.cookie,
      readCookie(await verifyCode(computeCode(secured.totpUri), await beginSignIn(secured))),
      readCookie(await verifyBackupCode(secured.backupCodes[0] ?? '', await beginSignIn(secured))),
    ];
    for (const cookie of cookies) {
      const token = await fetchAccessToken(strict, { ...secured, cookie });
      expect((await ask('/user', token)).status).toBe(200);
    }
  });

  it('closes administration again after switching off', async () => {
    const secured = await aSecuredAdministrator();
    const off = await post('/disable', { password: secured.password }, secured.cookie);
    const token = await fetchAccessToken(strict, { ...secured, cookie: readCookie(off) });
    expect(readCode(await ask('/user', token))).toBe('second-factor-required');
  });

  it('ignores a sign-in that falsely claims a code', async () => {
    const admin = await anAdministrator(shop);
    const claimed = await askIdentity(shop, '/sign-in/email', {
      email: admin.email,
      password: admin.password,
      secondFactor: true,
      twoFactorEnabled: true,
    });
    const token = await fetchAccessToken(strict, { ...admin, cookie: readCookie(claimed) });
    expect(readCode(await ask('/user', token))).toBe('second-factor-required');
  });
});

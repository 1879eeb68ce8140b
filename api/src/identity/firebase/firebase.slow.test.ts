import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { createAdmin, ensureFirstAdmin } from '#src/identity/administrators.ts';
import { aProduct, orderBody } from '#test/builders.ts';
import { type Person, SHOP_ORIGIN, startFirebaseShop } from '#test/firebase-shop.ts';
import { newEmail } from '#test/identity.ts';
import { PROJECT } from '#test/stand-in-google.ts';
import { prepared } from '#test/use-shop.ts';

const firebase = prepared(startFirebaseShop, (f) => f.close());

beforeEach(() => firebase.google.failures.clear());

afterEach(() => expect(firebase.shop.errors).toEqual([]));

describe('sign-in with Firebase', () => {
  it('tells the page its project and no secret', async () => {
    const { identity } = (await firebase.app.inject('/config')).json();
    expect(identity).toEqual({
      kind: 'firebase',
      google: true,
      selfService: false,
      mail: true,
      adminSecondFactor: 'optional',
      firebase: { projectId: PROJECT, apiKey: 'a-public-key', authDomain: `${PROJECT}.firebaseapp.com` },
    });
  });

  it('exchanges a token and looks the account up each time', async () => {
    const person = firebase.aPerson();
    firebase.google.calls.length = 0;
    expect(await firebase.readOutcome(person)).toBe('in');
    expect(await firebase.readOutcome(person)).toBe('in');
    const lookUps = firebase.google.calls.filter(
      ({ path }) => path === '/v1/accounts:lookup?key=a-public-key',
    );
    expect(lookUps).toHaveLength(2);
  });

  it('works with a key restricted to the shop’s site', async () => {
    firebase.google.allowedSite = SHOP_ORIGIN;
    expect(await firebase.readOutcome(firebase.aPerson())).toBe('in');
    firebase.google.allowedSite = null;
  });

  it('refuses a forged token before it asks Firebase', async () => {
    const person = firebase.aPerson();
    firebase.google.calls.length = 0;
    expect(await firebase.readOutcome(person, `${await firebase.signToken(person)}x`)).toBe(
      'identity-invalid',
    );
    expect(firebase.google.calls.filter(({ path }) => path.includes('lookup'))).toEqual([]);
  });

  it('refuses another’s email', async () => {
    const person = firebase.aPerson();
    const { status } = await firebase.exchange(
      { ...person, email: newEmail() },
      await firebase.signToken(person),
    );
    expect(status).toBe(403);
  });
});

describe('an account that has changed since its token', () => {
  const changes: Record<string, object> = {
    'that was disabled': { disabled: true },
    'whose password changed since': { validSince: String(Math.floor(Date.now() / 1000) + 60) },
    'that lost what the person signed in with': { providerUserInfo: [{ providerId: 'password' }] },
    'that has nothing to sign in with': { providerUserInfo: undefined },
    'whose address is another now': { email: 'another@repair.example' },
  };
  it.each(Object.entries(changes))('is refused if it %s', async (_what, change) => {
    const person = firebase.aPerson();
    expect(await firebase.readOutcome(person)).toBe('in');
    firebase.changeAccount(person, change);
    expect(await firebase.readOutcome(person)).toBe('identity-revoked');
  });

  it('is refused if it was deleted', async () => {
    const person = firebase.aPerson();
    firebase.google.accounts.delete(person.uid);
    expect(await firebase.readOutcome(person)).toBe('identity-revoked');
  });

  it.each(['USER_NOT_FOUND', 'USER_DISABLED', 'TOKEN_EXPIRED', 'INVALID_ID_TOKEN'])(
    'is refused when Firebase says %s',
    async (message) => {
      firebase.google.failures.set('accounts:lookup', {
        status: 400,
        body: { error: { code: 400, message } },
      });
      expect(await firebase.readOutcome(firebase.aPerson())).toBe('identity-revoked');
    },
  );

  it('is refused if the answer names another account', async () => {
    const [person, other] = [firebase.aPerson(), firebase.aPerson()];
    firebase.google.accounts.set(person.uid, {
      ...firebase.google.accounts.get(person.uid),
      localId: other.uid,
    } as never);
    expect(await firebase.readOutcome(person)).toBe('identity-revoked');
  });
});

describe('a failing Firebase', () => {
  const failures: Record<string, { status: number; body: object }> = {
    'has a failure of its own': { status: 500, body: {} },
    'has had too many questions': { status: 429, body: { error: { message: 'QUOTA_EXCEEDED : x' } } },
    "does not take the shop's key": { status: 400, body: { error: { message: 'API key not valid.' } } },
    'answers with no account and no refusal': { status: 200, body: {} },
    'answers with something else': { status: 200, body: { users: 'none' } },
    'forbids the question': { status: 403, body: { error: { message: 'PERMISSION_DENIED' } } },
  };
  it.each(Object.entries(failures))('refuses nobody if it %s: 503', async (_what, failure) => {
    const person = firebase.aPerson();
    firebase.google.failures.set('accounts:lookup', failure);
    const answer = await firebase.exchange(person);
    expect(answer.status).toBe(503);
    expect(answer.retryAfter).toBe('5');
    expect(answer.body.detail).toBe('The sign-in service is not available at the moment.');
    firebase.shop.expectErrors([{ code: 'unavailable' }]);
    firebase.google.failures.clear();
    expect(await firebase.readOutcome(person)).toBe('in');
  });

  it('delays no sign-in without limit when it hangs', async () => {
    const person = firebase.aPerson();
    firebase.google.failures.set('accounts:lookup', null);
    expect((await firebase.exchange(person)).status).toBe(503);
    firebase.shop.expectErrors([{ code: 'unavailable', err: { type: 'TimeoutError' } }]);
  });
});

describe('an early registrant of an address', () => {
  it('loses it to its owner and renews no token afterwards', async () => {
    const squatter = firebase.aPerson({ emailVerified: false, provider: 'password' });
    const bought = (await firebase.exchange(squatter)).body.token;
    // The owner signs in with Google: Firebase drops the password and calls the address proven. The
    // squatter's refresh token still yields tokens, with the address proven and their own sign-in.
    firebase.changeAccount(squatter, {
      emailVerified: true,
      providerUserInfo: [{ providerId: 'google.com' }],
    });
    const renewed = await firebase.signToken({ ...squatter, emailVerified: true });
    expect(await firebase.readOutcome(squatter, renewed)).toBe('identity-revoked');
    const owner: Person = { ...squatter, emailVerified: true, provider: 'google.com' };
    expect(await firebase.readOutcome(owner)).toBe('in');
    const headers = { authorization: `Bearer ${bought}` };
    expect((await firebase.app.inject({ url: `/user/${squatter.email}`, headers })).statusCode).toBe(401);
  });

  it('gains nothing from an address that only the token calls proven', async () => {
    const email = newEmail();
    await createAdmin(firebase.services, { email, name: 'Boss', password: null });
    const person = firebase.aPerson({ email });
    firebase.changeAccount(person, { emailVerified: false });
    expect(await firebase.readOutcome(person)).toBe('email-in-use');
  });
});

describe('an administrator', () => {
  it('is created by address, for the person who proves it', async () => {
    const email = newEmail();
    expect(await createAdmin(firebase.services, { email, name: 'Boss', password: null })).toMatchObject({
      created: true,
    });
    expect(
      await firebase.readOutcome(firebase.aPerson({ email, emailVerified: false, provider: 'password' })),
    ).toBe('email-in-use');
    const boss = firebase.aPerson({ email });
    expect(await firebase.readRole(boss)).toBe('admin');
    expect(await firebase.readOutcome(firebase.aPerson({ email }))).toBe('email-in-use');
    expect(await firebase.readRole(boss)).toBe('admin');
  });

  it('is never an earlier registrant, proven or not', async () => {
    const squatter = firebase.aPerson({ emailVerified: false, provider: 'password' });
    expect(await firebase.readRole(squatter)).toBe('user');
    await createAdmin(firebase.services, { email: squatter.email, name: 'Boss', password: null });
    expect(await firebase.readOutcome(squatter)).toBe('email-in-use');
    expect(await firebase.readRole(firebase.aPerson({ email: squatter.email }))).toBe('admin');
  });

  it('is not invented at the first start; ADMIN_EMAIL suffices', async () => {
    const fresh = await startFirebaseShop();
    expect(await ensureFirstAdmin({ adminEmail: null, adminPassword: null }, fresh.services)).toBeNull();
    const email = newEmail();
    expect(await ensureFirstAdmin({ adminEmail: email, adminPassword: null }, fresh.services)).toEqual({
      email,
      password: null,
    });
    expect(await fresh.readRole(fresh.aPerson({ email }))).toBe('admin');
    await fresh.close();
  });
});

test('ordering works with a fresh Firebase proof once the address is proven', async () => {
  const firebase = await startFirebaseShop({
    env: {
      REQUIRE_VERIFIED_EMAIL: 'on',
      FIREBASE_PROJECT_ID: PROJECT,
      FIREBASE_API_KEY: 'a-public-key-of-the-project',
      FIREBASE_AUTH_DOMAIN: `${PROJECT}.firebaseapp.com`,
    },
  });
  const person = firebase.aPerson({ emailVerified: false, provider: 'password' });
  const product = await aProduct(firebase.shop);
  const order = async (token: string) => {
    const answer = await firebase.app.inject({
      method: 'POST',
      url: '/order',
      headers: { authorization: `Bearer ${token}` },
      payload: orderBody({ ...person, name: 'Amara Okafor' }, product),
    });
    return answer.statusCode;
  };
  const before = await firebase.signToken(person);
  expect(await order((await firebase.exchange(person, before)).body.token)).toBe(403);
  firebase.changeAccount(person, { emailVerified: true });
  // Issued before the address was proven, and valid for an hour: its claim never changes.
  const stillUnproven = (await firebase.exchange(person, before)).body.token;
  expect(await order(stillUnproven)).toBe(403);
  const proven = { ...person, emailVerified: true };
  expect(await order((await firebase.exchange(proven)).body.token)).toBe(200);
  expect(firebase.shop.errors).toEqual([]);
  await firebase.close();
});

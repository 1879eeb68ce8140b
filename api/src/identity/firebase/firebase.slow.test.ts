import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SHOP_ORIGIN, startFirebaseShop } from '#test/firebase-shop.ts';
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

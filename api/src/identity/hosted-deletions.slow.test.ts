import { exportPKCS8, generateKeyPair, jwtVerify } from 'jose';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { signedInAs } from '#test/builders.ts';
import { type FirebaseShop, type Person, startFirebaseShop } from '#test/firebase-shop.ts';
import { createMovableClock } from '#test/movable-clock.ts';
import { countDeletions, deleteHostedAccounts } from './hosted-deletions.ts';

const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
const pem = await exportPKCS8(privateKey);
const clock = createMovableClock();
let firebase: FirebaseShop;
let adminToken: string;

beforeEach(async () => {
  clock.aheadMs = 0;
  firebase = await startFirebaseShop({ privateKey: pem, clock });
  adminToken = (await signedInAs(firebase.shop, 'admin')).token;
});
afterEach(() => firebase.close());

const work = () => deleteHostedAccounts(firebase.services);
const count = () => countDeletions(firebase.services.database.db);
const isAtFirebase = ({ uid }: Person) => firebase.google.accounts.has(uid);
const listCalls = (end: string) => firebase.google.calls.filter(({ path }) => path.endsWith(end));

async function remove({ email }: Person): Promise<void> {
  const headers = { authorization: `Bearer ${adminToken}` };
  const answer = await firebase.app.inject({ method: 'DELETE', url: `/user/${email}`, headers });
  expect(answer.json()).toEqual({ deletedCount: 1 });
}

/** A person whom an administrator has just removed. */
async function aRemovedPerson(): Promise<Person> {
  const person = firebase.aPerson();
  expect(await firebase.readOutcome(person)).toBe('in');
  await remove(person);
  return person;
}

describe('removing a person', () => {
  it('deletes the account at Firebase only after the commit', async () => {
    const person = await aRemovedPerson();
    expect(listCalls('accounts:delete')).toEqual([]);
    expect(await count()).toEqual({ waiting: 1, failed: 0 });
    expect(await work()).toBe(1);
    expect(isAtFirebase(person)).toBe(false);
    expect(await count()).toEqual({ waiting: 0, failed: 0 });
    expect(await work()).toBe(0);
  });

  it('deletes the account after self-removal too', async () => {
    const person = firebase.aPerson();
    const { body } = await firebase.exchange(person);
    const headers = { authorization: `Bearer ${body.token}` };
    await firebase.app.inject({ method: 'DELETE', url: `/user/${person.email}`, headers });
    expect(await work()).toBe(1);
    expect(isAtFirebase(person)).toBe(false);
  });

  it('blocks them while the account waits, and then allows registering again', async () => {
    const person = await aRemovedPerson();
    clock.aheadMs = 5_000;
    const token = await firebase.signToken(person);
    expect(await firebase.readOutcome(person, token)).toBe('identity-revoked');
    await work();
    expect(await firebase.readOutcome(firebase.aPerson({ email: person.email, emailVerified: false }))).toBe(
      'in',
    );
  });

  it('keeps the account after a rollback', async () => {
    const person = firebase.aPerson();
    await firebase.readOutcome(person);
    const { identity, changes } = firebase.services;
    const bound = { issuer: 'https://securetoken.google.com/parts-forge-test', subject: person.uid };
    const userId = firebase.services.ids.next();
    // There is no such user, so the entry's reference fails the transaction.
    await expect(changes.write((tx) => identity.deleteIdentity({ ...bound, userId }, tx))).rejects.toThrow();
    expect(await work()).toBe(0);
    expect(isAtFirebase(person)).toBe(true);
  });

  it('ignores a person bound to a former service', async () => {
    const former = await signedInAs(firebase.shop, 'user');
    await remove({ uid: '', email: former.email, emailVerified: true, provider: 'password' });
    expect(await count()).toEqual({ waiting: 0, failed: 0 });
  });

  it('skips the account without permission, and allows signing in again', async () => {
    await firebase.close();
    firebase = await startFirebaseShop({ clock });
    adminToken = (await signedInAs(firebase.shop, 'admin')).token;
    const person = await aRemovedPerson();
    expect(await count()).toEqual({ waiting: 0, failed: 0 });
    expect(await work()).toBe(0);
    expect(isAtFirebase(person)).toBe(true);
  });
});

describe('the service account', () => {
  it('signs Google’s assertion for the accounts scope and uses Google’s token', async () => {
    await aRemovedPerson();
    await work();
    const form = new URLSearchParams(listCalls('/token')[0]?.body);
    expect(form.get('grant_type')).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer');
    const { payload } = await jwtVerify(form.get('assertion') ?? '', publicKey, {
      algorithms: ['RS256'],
      issuer: 'shop@project.example',
      audience: firebase.google.endpoints.token,
    });
    expect(payload.scope).toBe('https://www.googleapis.com/auth/identitytoolkit');
    const [deletion] = listCalls('accounts:delete');
    expect(deletion?.path).toBe('/v1/projects/parts-forge-test/accounts:delete');
    expect(deletion?.headers.authorization).toBe('Bearer a-google-token');
  });

  it('buys one token for many accounts and renews it', async () => {
    await aRemovedPerson();
    await aRemovedPerson();
    expect(await work()).toBe(2);
    expect(listCalls('/token')).toHaveLength(1);
    clock.aheadMs = 3_600_000;
    adminToken = (await signedInAs(firebase.shop, 'admin')).token;
    await aRemovedPerson();
    expect(await work()).toBe(1);
    expect(listCalls('/token')).toHaveLength(2);
  });
});

describe('a deletion that fails', () => {
  const refused = { status: 403, body: { error: { code: 403, message: 'PERMISSION_DENIED' } } };

  it('is retried after doubling pauses', async () => {
    const person = await aRemovedPerson();
    firebase.google.failures.set('accounts:delete', { status: 503, body: {} });
    expect(await work()).toBe(0);
    expect(await work()).toBe(0);
    expect(listCalls('accounts:delete')).toHaveLength(1);
    clock.aheadMs += 61_000;
    await work();
    expect(listCalls('accounts:delete')).toHaveLength(2);
    clock.aheadMs += 61_000;
    await work();
    expect(listCalls('accounts:delete')).toHaveLength(2);
    firebase.google.failures.clear();
    clock.aheadMs += 61_000;
    expect(await work()).toBe(1);
    expect(isAtFirebase(person)).toBe(false);
    expect(firebase.shop.errors).toEqual([]);
  });

  it('is reported after ten failures, once in the trail, and retried', async () => {
    const person = await aRemovedPerson();
    firebase.google.failures.set('accounts:delete', refused);
    for (let tries = 1; tries <= 12; tries += 1) {
      await work();
      clock.aheadMs += 7 * 3_600_000;
    }
    expect(await count()).toEqual({ waiting: 0, failed: 1 });
    firebase.shop.expectErrors(3);
    const { rows } = await firebase.services.database.pool.query(
      `select after, user_id is not null as known from trail where event = 'identity-deletion-failed'`,
    );
    expect(rows).toEqual([{ after: { tries: 10 }, known: true }]);
    firebase.google.failures.clear();
    expect(await work()).toBe(1);
    expect(isAtFirebase(person)).toBe(false);
  });

  it('succeeds if the account is already gone', async () => {
    const person = await aRemovedPerson();
    firebase.google.accounts.delete(person.uid);
    expect(await work()).toBe(1);
  });

  it('buys another token if the old one was withdrawn', async () => {
    await aRemovedPerson();
    await aRemovedPerson();
    firebase.google.failures.set('accounts:delete', { status: 401, body: { error: { message: 'X' } } });
    await work();
    firebase.google.failures.clear();
    clock.aheadMs += 61_000;
    expect(await work()).toBe(2);
    expect(listCalls('/token')).toHaveLength(2);
  });
});

describe('pending deletions', () => {
  it('are shared among processes, each done once', async () => {
    for (let i = 0; i < 6; i += 1) await aRemovedPerson();
    const done = await Promise.all([work(), work(), work()]);
    expect(done.reduce((sum, each) => sum + each, 0)).toBe(6);
    expect(listCalls('accounts:delete')).toHaveLength(6);
  });

  it('wait in a restored copy until it takes over', async () => {
    const person = await aRemovedPerson();
    expect(await deleteHostedAccounts({ ...firebase.services, copiedAt: new Date() })).toBe(0);
    expect(isAtFirebase(person)).toBe(true);
  });
});

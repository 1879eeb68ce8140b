import { afterEach, describe, expect, it } from 'vitest';
import { createAdmin, ensureFirstAdmin } from '#src/identity/administrators.ts';
import { type Person, startFirebaseShop } from '#test/firebase-shop.ts';
import { newEmail } from '#test/identity.ts';
import { prepared } from '#test/use-shop.ts';

const firebase = prepared(startFirebaseShop, (f) => f.close());
afterEach(() => expect(firebase.shop.errors).toEqual([]));

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

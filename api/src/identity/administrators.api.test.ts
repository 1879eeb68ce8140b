import { describe, expect, it } from 'vitest';
import { signedInAs } from '#test/builders.ts';
import {
  anAccount,
  askIdentity,
  exchange,
  fetchAccessToken,
  fetchIdToken,
  newEmail,
  readCookie,
} from '#test/identity.ts';
import { preparedForEach, startForTest } from '#test/use-shop.ts';
import { createAdmin, ensureFirstAdmin } from './administrators.ts';

const shop = preparedForEach(() => startForTest());

const password = 'correct horse';
const named = { adminEmail: 'Boss@Forge.example', adminPassword: password };
const unnamed = { adminEmail: null, adminPassword: null };

/** Signs in as the page does; returns the role that the shop shows. */
async function roleAfterSignIn(email: string, secret = password): Promise<string> {
  const signIn = await askIdentity(shop, '/sign-in/email', { email, password: secret });
  if (signIn.status !== 200) return signIn.body.message;
  const account = { email, name: 'Boss', password: secret, cookie: readCookie(signIn) };
  const token = await fetchAccessToken(shop, account);
  return (await shop.request(`/user/${email}`, { token })).body.role;
}

describe('the command that creates an administrator', () => {
  it('creates one with a new address', async () => {
    const made = await createAdmin(shop.services, { email: 'boss@forge.example', name: 'Boss', password });
    expect(made).toEqual({ email: 'boss@forge.example', created: true });
    expect(await roleAfterSignIn('boss@forge.example')).toBe('admin');
  });

  it('takes each address that the sign-in takes', async () => {
    const email = 'r&d@check.xn--p1ai';
    await createAdmin(shop.services, { email, name: 'Boss', password });
    expect(await roleAfterSignIn(email)).toBe('admin');
  });

  it('accepts repetition, and the last password counts', async () => {
    const person = { email: 'boss@forge.example', name: 'Boss' };
    await createAdmin(shop.services, { ...person, password });
    await createAdmin(shop.services, { ...person, password: 'another secret' });
    expect(await roleAfterSignIn(person.email)).toBe('Invalid email or password');
    expect(await roleAfterSignIn(person.email, 'another secret')).toBe('admin');
  });

  it('promotes an existing customer, who keeps their profile', async () => {
    const account = await anAccount(shop);
    const token = await fetchAccessToken(shop, account);
    await shop.request(`/user/update/${account.email}`, {
      method: 'PUT',
      token,
      body: { location: 'Accra' },
    });
    const made = await createAdmin(shop.services, { email: account.email, name: 'Boss', password });
    expect(made.created).toBe(false);
    expect(await roleAfterSignIn(account.email)).toBe('admin');
    const admin = await signedInAs(shop, 'admin');
    const profile = await admin.get(`/user/${account.email}`);
    expect(profile.body).toMatchObject({ role: 'admin', location: 'Accra', name: 'Boss' });
  });

  it('leaves nothing to an early registrant of the address', async () => {
    const squatter = await anAccount(shop, { email: 'boss@forge.example', password: 'squatted' });
    const idToken = await fetchIdToken(shop, squatter);
    const token = await fetchAccessToken(shop, squatter);
    await createAdmin(shop.services, { email: squatter.email, name: 'Boss', password });

    expect((await shop.request(`/user/${squatter.email}`, { token })).status).toBe(401);
    expect((await askIdentity(shop, '/token', undefined, squatter.cookie)).status).toBe(401);
    expect(await roleAfterSignIn(squatter.email, 'squatted')).toBe('Invalid email or password');
    expect((await exchange(shop, idToken, squatter)).body.type).toBe('urn:parts-forge:problem:email-in-use');
    expect(await roleAfterSignIn(squatter.email)).toBe('admin');
  });

  it('refuses short and common passwords, and an address that cannot sign in', async () => {
    const refusal = (given: object) =>
      createAdmin(shop.services, { email: 'boss@forge.example', name: 'Boss', password, ...given }).catch(
        ({ message }: Error) => message,
      );
    expect(await refusal({ password: 'eleven char' })).toBe('The password must be 12 characters or longer.');
    expect(await refusal({ password: '1q2w3e4r5t6y' })).toBe('The password is among the most common ones.');
    expect(await refusal({ email: 'boss' })).toBe('The email must be an email address.');
    expect(await refusal({ name: ' ' })).toBe('The name must not be empty.');
    expect(await roleAfterSignIn('boss@forge.example')).toBe('Invalid email or password');
  });
});

describe('the first administrator', () => {
  it('comes from ADMIN_EMAIL and ADMIN_PASSWORD at the first start', async () => {
    expect(await ensureFirstAdmin(named, shop.services)).toEqual({ email: named.adminEmail, password: null });
    expect(await roleAfterSignIn('boss@forge.example')).toBe('admin');
  });

  it('gets a random password, given out once, when none is set', async () => {
    const first = await ensureFirstAdmin(unnamed, shop.services);
    expect(first?.email).toBe('admin@partsforge.local');
    expect(first?.password).toMatch(/^[\w-]{24}$/);
    expect(await roleAfterSignIn(first?.email ?? '', first?.password ?? '')).toBe('admin');

    expect(await ensureFirstAdmin(unnamed, shop.services)).toBeNull();
    expect(await roleAfterSignIn(first?.email ?? '', first?.password ?? '')).toBe('admin');
  });

  it('is created once when several processes start together', async () => {
    const made = await Promise.all(Array.from({ length: 4 }, () => ensureFirstAdmin(unnamed, shop.services)));
    expect(made.filter((first) => first !== null)).toHaveLength(1);
  });

  it('is not created if the command already created one', async () => {
    await createAdmin(shop.services, { email: newEmail(), name: 'Boss', password });
    expect(await ensureFirstAdmin(unnamed, shop.services)).toBeNull();
  });
});

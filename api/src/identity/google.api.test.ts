import { eq } from 'drizzle-orm';
import { decodeJwt } from 'jose';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { identityAccounts, identityUsers } from '#src/identity/schema.ts';
import {
  aGooglePerson,
  type FakeGoogle,
  signInWithGoogle,
  startGoogle,
  untilGoogleIsThere,
} from '#test/google.ts';
import { exchange, fetchIdToken } from '#test/identity.ts';
import { startShop, type TestShop } from '#test/start-shop.ts';

let google: FakeGoogle;
let shop: TestShop;

beforeAll(async () => {
  google = await startGoogle();
  shop = await startShop({ env: google.env });
  await untilGoogleIsThere(shop);
});
afterAll(async () => {
  await shop.close();
  await google.stop();
});
afterEach(() => {
  expect(shop.errors).toEqual([]);
});

describe('CONTINUE WITH GOOGLE', () => {
  it('makes an account with the address that Google has proven, and a user of the shop', async () => {
    const person = aGooglePerson();
    google.sign(person);
    const { cookie, error } = await signInWithGoogle(shop);
    expect(error).toBeNull();
    const idToken = await fetchIdToken(shop, { cookie });
    expect(decodeJwt(idToken)).toMatchObject({
      email: person.email,
      email_verified: true,
      name: person.name,
    });
    const bought = await exchange(shop, idToken, person);
    expect(bought.status).toBe(200);
    const profile = await shop.request(`/user/${person.email}`, { token: bought.body.token });
    expect(profile.body).toMatchObject({ name: person.name, email: person.email, role: 'user' });
  });
});

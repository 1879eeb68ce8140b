import { expect, test } from 'vitest';
import { aProduct, orderBody } from '#test/builders.ts';
import { startFirebaseShop } from '#test/firebase-shop.ts';
import { PROJECT } from '#test/stand-in-google.ts';

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

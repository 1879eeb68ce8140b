import { generateKeyPair, SignJWT } from 'jose';
import { Events } from 'oauth2-mock-server';
import { expect, it } from 'vitest';
import {
  aGooglePerson,
  beginSignIn,
  CLIENT_ID,
  pageOrigin,
  readOutcome,
  signInWithGoogle,
  useGoogle,
  visitGoogle,
} from '#test/google.ts';
import { readCookie } from '#test/identity.ts';

// Input that does not come from Google, or not from this browser.
const { google, shop } = useGoogle();

it.each<[string, Record<string, unknown>]>([
  ['is for another client', { aud: 'another-shop' }],
  ['comes from another issuer', { iss: 'https://accounts.evil.example' }],
  ['has expired', { exp: Math.floor(Date.now() / 1000) - 60 }],
  ['belongs to another sign-in', { nonce: 'another' }],
  ['belongs to no sign-in', { nonce: undefined }],
  ['never expires', { exp: undefined }],
  ['was made for another client', { azp: 'another-shop' }],
  ['is for several clients and made for another', { aud: [CLIENT_ID, 'another-shop'], azp: 'another-shop' }],
  ['is for several clients and made for none', { aud: [CLIENT_ID, 'another-shop'] }],
  ['has no subject', { sub: '' }],
  ['has no address', { email: undefined }],
])('an ID token that %s opens nothing', async (_what, claims) => {
  google.sign({ ...aGooglePerson(), ...claims });
  expect(await signInWithGoogle(shop)).toEqual({ cookie: '', error: 'unable_to_get_user_info' });
});

it.each<[string, Record<string, unknown>]>([
  ['is made for the shop', { azp: CLIENT_ID }],
  ['is for several clients and made for the shop', { aud: [CLIENT_ID, 'another-shop'], azp: CLIENT_ID }],
])('an ID token that %s is accepted', async (_what, claims) => {
  google.sign({ ...aGooglePerson(), ...claims });
  expect((await signInWithGoogle(shop)).error).toBeNull();
});

it('a token with another signature, or none, opens nothing', async () => {
  const { privateKey } = await generateKeyPair('RS256');
  const person = aGooglePerson();
  google.sign(person);
  const forgeries = [
    await new SignJWT({ ...person })
      .setProtectedHeader({ alg: 'RS256' })
      .setAudience(CLIENT_ID)
      .setIssuer(String(google.server.issuer.url))
      .setIssuedAt()
      .setExpirationTime('5m')
      .sign(privateKey),
    undefined,
  ];
  for (const id_token of forgeries) {
    google.server.service.once(Events.BeforeResponse, ({ body }) => {
      if (id_token) body.id_token = id_token;
      else delete body.id_token;
    });
    expect(await signInWithGoogle(shop)).toEqual({ cookie: '', error: 'unable_to_get_user_info' });
  }
});

it('an ID token sent directly is refused, even a valid one', async () => {
  const person = aGooglePerson();
  google.sign(person);
  const token = await google.server.issuer.buildToken({
    scopesOrTransform: (_header, payload) => Object.assign(payload, person, { aud: CLIENT_ID }),
  });
  const answer = await beginSignIn(shop, { idToken: { token } });
  expect(answer.status).toBe(400);
  expect(answer.headers.getSetCookie()).toEqual([]);
});

it('another browser’s callback signs nobody in', async () => {
  google.sign(aGooglePerson());
  const attacker = await beginSignIn(shop);
  const callback = await visitGoogle(attacker.body.url);
  expect(readOutcome(await shop.request(callback))).toEqual({ cookie: '', error: 'state_mismatch' });
  const victim = await beginSignIn(shop);
  const again = await visitGoogle(attacker.body.url);
  const outcome = readOutcome(await shop.request(again, { headers: { cookie: readCookie(victim) } }));
  expect(outcome).toEqual({ cookie: '', error: 'state_mismatch' });
});

it('a callback works once', async () => {
  google.sign(aGooglePerson());
  const began = await beginSignIn(shop);
  const callback = await visitGoogle(began.body.url);
  const headers = { cookie: readCookie(began) };
  expect(readOutcome(await shop.request(callback, { headers })).error).toBeNull();
  expect(readOutcome(await shop.request(callback, { headers }))).toEqual({
    cookie: '',
    error: 'state_mismatch',
  });
});

it('a forged callback is shown in the popup, not logged as error', async () => {
  for (const query of [
    '',
    '?code=x',
    '?state=x&code=y',
    '?error=access_denied',
    '?state=x&error=y',
    '?code=a&code=b',
  ]) {
    const outcome = readOutcome(await shop.request(`/identity/callback/google${query}`));
    expect([query, outcome.cookie, typeof outcome.error]).toEqual([query, '', 'string']);
  }
});

it('a page of another origin cannot start a sign-in', async () => {
  for (const origin of ['https://evil.example', shop.url, 'null']) {
    const answer = await beginSignIn(shop, { origin });
    expect(answer.status).toBe(403);
    expect(answer.body.message).toBe('Invalid origin');
  }
  expect((await beginSignIn(shop, { origin: pageOrigin(shop) })).status).toBe(200);
});

it('other return addresses, wider scopes and other parameters are refused', async () => {
  const popup = '/auth/popup.html?id=1';
  const wrong: Record<string, unknown>[] = [
    { callbackURL: 'https://evil.example/' },
    { callbackURL: '//evil.example/auth/popup.html?id=1' },
    { callbackURL: `${popup}&next=//evil.example` },
    { errorCallbackURL: 'https://evil.example/' },
    { newUserCallbackURL: popup },
    { scopes: ['https://www.googleapis.com/auth/drive'] },
    { additionalParams: { access_type: 'offline' } },
    { loginHint: 'victim@gmail.example' },
    { provider: 'github' },
    { disableRedirect: false },
  ];
  for (const body of wrong) {
    const answer = await beginSignIn(shop, body);
    // 403 for a foreign address, which the library checks first.
    expect([400, 403], JSON.stringify(body)).toContain(answer.status);
    expect(answer.headers.getSetCookie()).toEqual([]);
  }
});

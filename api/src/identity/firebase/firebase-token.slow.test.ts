import { createSecretKey } from 'node:crypto';
import { generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { systemClock } from '#src/platform/core/clock.ts';
import { createMovableClock } from '#test/movable-clock.ts';
import { PROJECT, type StandInGoogle, startStandInGoogle } from '#test/stand-in-google.ts';
import { createFirebaseTokenCheck } from './firebase-token.ts';

let google: StandInGoogle;
beforeEach(async () => {
  google = await startStandInGoogle();
});
afterEach(async () => {
  vi.useRealTimers();
  await google.close();
});

const nowSeconds = () => Math.floor(Date.now() / 1000);
const tokenClaims = (more: Record<string, unknown> = {}): JWTPayload => ({
  iss: `https://securetoken.google.com/${PROJECT}`,
  aud: PROJECT,
  sub: 'uid-of-amara',
  email: 'Amara@Repair.example',
  email_verified: true,
  name: 'Amara Okafor',
  auth_time: nowSeconds() - 60,
  iat: nowSeconds(),
  exp: nowSeconds() + 3600,
  firebase: { sign_in_provider: 'google.com' },
  ...more,
});

const createCheck = (clock = systemClock) =>
  createFirebaseTokenCheck({ projectId: PROJECT, clock, keysUrl: google.endpoints.keys });
const readRefusal = (check: Promise<unknown>) =>
  check.then(
    () => 'taken',
    (error: { code?: string }) => error.code,
  );
const countKeyReads = () => google.calls.filter(({ path }) => path === '/keys').length;

const sign = async (
  header: { alg: string; kid?: string },
  key: CryptoKey | ReturnType<typeof createSecretKey>,
) => new SignJWT(tokenClaims()).setProtectedHeader(header).sign(key);
const signRs256 = async (kid?: string) =>
  sign({ alg: 'RS256', ...(kid && { kid }) }, (await generateKeyPair('RS256')).privateKey);

describe("a token of Firebase's", () => {
  it('states the person, the time and the method of the sign-in', async () => {
    const claims = tokenClaims();
    expect(await createCheck()(await google.sign(claims))).toEqual({
      subject: 'uid-of-amara',
      email: 'amara@repair.example',
      emailVerified: true,
      name: 'Amara Okafor',
      authTime: claims.auth_time,
      signInProvider: 'google.com',
    });
  });

  it('needs no name and may come from a clock slightly ahead', async () => {
    const token = await google.sign(tokenClaims({ name: undefined, auth_time: nowSeconds() + 30 }));
    expect(await createCheck()(token)).toMatchObject({ name: null });
  });

  const otherClaims: Record<string, Record<string, unknown>> = {
    expired: { exp: nowSeconds() - 1 },
    "is another project's by its issuer": { iss: 'https://securetoken.google.com/another' },
    "is the embedded service's by its issuer": { iss: 'urn:parts-forge:1' },
    "is another project's by its audience": { aud: 'another' },
    'has no subject': { sub: undefined },
    'has an empty subject': { sub: '' },
    'has a subject longer than any': { sub: 'x'.repeat(129) },
    'does not say when the person signed in': { auth_time: undefined },
    'is of a sign-in that is still to come': { auth_time: nowSeconds() + 300 },
    'was made in the future': { iat: nowSeconds() + 300 },
    'has no email': { email: undefined },
    'says of the email that it is "false" that it is proven': { email_verified: 'false' },
    'does not say with what the person signed in': { firebase: {} },
  };
  it.each(Object.entries(otherClaims))('is refused when it %s', async (_why, more) => {
    expect(await readRefusal(createCheck()(await google.sign(tokenClaims(more))))).toBe('identity-invalid');
  });

  const forgeries: Record<string, () => Promise<string>> = {
    'is not signed at all, as the emulator makes them': async () => new UnsecuredJWT(tokenClaims()).encode(),
    'is signed with a secret': () =>
      sign({ alg: 'HS256', kid: 'key-1' }, createSecretKey(Buffer.alloc(32, 'k'))),
    'is signed with a key of another kind': async () =>
      sign({ alg: 'ES256', kid: 'key-1' }, (await generateKeyPair('ES256')).privateKey),
    "is signed with a stranger's key under Google's id": () => signRs256('key-1'),
    "is signed with a stranger's key under an id of its own": () => signRs256('strange'),
    'is changed after it was signed': async () => {
      const [header, , signature] = (await google.sign(tokenClaims())).split('.');
      const body = Buffer.from(JSON.stringify(tokenClaims({ sub: 'somebody-else' }))).toString('base64url');
      return `${header}.${body}.${signature}`;
    },
    'is no token': async () => 'abc',
  };
  it.each(Object.entries(forgeries))('is refused if it %s', async (_why, forge) => {
    expect(await readRefusal(createCheck()(await forge()))).toBe('identity-invalid');
  });
});

describe("Google's keys", () => {
  it('are read once for many tokens, even bad ones', async () => {
    // On a busy machine two seconds pass, after which the keys are read again.
    vi.useFakeTimers({ toFake: ['Date'] });
    const check = createCheck();
    await check(await google.sign(tokenClaims()));
    for (const kid of ['strange', 'stranger', 'strangest']) {
      expect(await readRefusal(check(await signRs256(kid)))).toBe('identity-invalid');
    }
    expect(countKeyReads()).toBe(1);
  });

  it('fail as a service, without refusing the person, when unreachable', async () => {
    google.failures.set('/keys', { status: 500, body: {} });
    expect(await readRefusal(createCheck()(await google.sign(tokenClaims())))).toBe('unavailable');
    google.failures.delete('/keys');
    await google.close();
    expect(await readRefusal(createCheck()(await google.sign(tokenClaims())))).toBe('unavailable');
    google = await startStandInGoogle();
  });

  it('serve for a day while Google is unreachable, and no longer', async () => {
    const clock = createMovableClock();
    const check = createCheck(clock);
    await check(await google.sign(tokenClaims()));
    google.failures.set('/keys', { status: 503, body: {} });
    // The library uses the system's time, for which its keys are stale now.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * 3_600_000 });
    expect(await readRefusal(check(await google.sign(tokenClaims())))).toBe('taken');
    clock.aheadMs = 25 * 3_600_000;
    const tomorrow = { iat: nowSeconds(), exp: nowSeconds() + 30 * 3_600 };
    expect(await readRefusal(check(await google.sign(tokenClaims(tomorrow))))).toBe('unavailable');
  });

  it('refuse nobody if new ones appear while Google is unreachable', async () => {
    const check = createCheck();
    await check(await google.sign(tokenClaims()));
    await google.changeKey();
    google.failures.set('/keys', { status: 503, body: {} });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
    expect(await readRefusal(check(await google.sign(tokenClaims())))).toBe('unavailable');
    google.failures.delete('/keys');
    expect(await readRefusal(check(await google.sign(tokenClaims())))).toBe('taken');
  });

  it('are read again for an unknown key after two seconds', async () => {
    const check = createCheck();
    await check(await google.sign(tokenClaims()));
    await google.changeKey();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2_000 });
    expect(await readRefusal(check(await google.sign(tokenClaims())))).toBe('taken');
    expect(countKeyReads()).toBe(2);
  });

  it('fail as a service when they are no keys', async () => {
    google.failures.set('/keys', { status: 200, body: { keys: 'none' } });
    expect(await readRefusal(createCheck()(await google.sign(tokenClaims())))).toBe('unavailable');
  });
});

describe("a token's age", () => {
  it('follows the shop’s clock', async () => {
    const clock = createMovableClock();
    const check = createCheck(clock);
    const token = await google.sign(tokenClaims());
    expect(await readRefusal(check(token))).toBe('taken');
    clock.aheadMs = 3_601_000;
    expect(await readRefusal(check(token))).toBe('identity-invalid');
  });
});

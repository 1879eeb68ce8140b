import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { freePort } from '@parts-forge/embedded-postgres/free-port';
import { eq } from 'drizzle-orm';
import { decodeJwt } from 'jose';
import { Events } from 'oauth2-mock-server';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { identityAccounts, identityUsers } from '#src/identity/schema.ts';
import {
  aGooglePerson,
  beginSignIn,
  CLIENT_ID,
  type FakeGoogle,
  pageOrigin,
  readOutcome,
  signInWithGoogle,
  startGoogle,
  untilGoogleIsThere,
  useGoogle,
  visitGoogle,
} from '#test/google.ts';
import { anAccount, exchange, fetchIdToken, readCookie, signIn } from '#test/identity.ts';
import { readActivity } from '#test/trail.ts';
import { startForTest } from '#test/use-shop.ts';

const lines: string[] = [];

const { google, shop } = useGoogle({ onLine: (line) => lines.push(line) });

const readGoogleAccount = async (email: string) => {
  const [row] = await shop.db
    .select()
    .from(identityAccounts)
    .innerJoin(identityUsers, eq(identityUsers.id, identityAccounts.userId))
    .where(eq(identityUsers.email, email));
  return row;
};

describe('CONTINUE WITH GOOGLE', () => {
  it('creates account and user with the address proven by Google', async () => {
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

  it('opens the same account each time', async () => {
    const person = aGooglePerson();
    google.sign(person);
    const subjects = [];
    for (const { cookie } of [await signInWithGoogle(shop), await signInWithGoogle(shop)]) {
      subjects.push(decodeJwt(await fetchIdToken(shop, { cookie })).sub);
    }
    expect(subjects[0]).toBe(subjects[1]);
  });

  it('leaves a log line with the user, but no trail entry', async () => {
    const person = aGooglePerson();
    google.sign(person);
    await exchange(shop, await fetchIdToken(shop, await signInWithGoogle(shop)), person);
    const account = await anAccount(shop);
    await exchange(shop, await fetchIdToken(shop, account), account);
    const { rows } = await shop.pool.query<{ id: string; email: string }>(
      'select id, email from users where email in ($1, $2)',
      [person.email, account.email],
    );
    lines.length = 0;
    expect((await signInWithGoogle(shop)).error).toBeNull();
    expect((await signIn(shop, account)).status).toBe(200);

    const userId = rows.find(({ email }) => email === person.email)?.id;
    const line = lines.map((text) => JSON.parse(text)).find(({ msg }) => msg === 'signed in with Google');
    expect(line).toMatchObject({ actor: 'user', actorId: userId });
    expect(rows).toHaveLength(2);
    for (const { id } of rows) expect(await readActivity(shop, `?who=${id}`)).toEqual([]);
  });

  it('creates one account from two simultaneous first sign-ins', async () => {
    const person = aGooglePerson();
    google.sign(person);
    const outcomes = await Promise.all([signInWithGoogle(shop), signInWithGoogle(shop)]);
    expect(outcomes.filter(({ error }) => error === null).length).toBeGreaterThanOrEqual(1);
    expect((await signInWithGoogle(shop)).error).toBeNull();
    const rows = await shop.db.select().from(identityUsers).where(eq(identityUsers.email, person.email));
    expect(rows).toHaveLength(1);
  });

  it('accepts a person without a name at Google', async () => {
    const { name, ...person } = aGooglePerson();
    google.sign(person);
    const { cookie } = await signInWithGoogle(shop);
    const bought = await exchange(shop, await fetchIdToken(shop, { cookie }), { email: person.email, name });
    expect(bought.status).toBe(200);
  });

  it('asks only for identity, bound to this sign-in, with account choice', async () => {
    const { searchParams } = new URL((await beginSignIn(shop)).body.url);
    expect(Object.fromEntries(searchParams)).toEqual({
      client_id: CLIENT_ID,
      response_type: 'code',
      redirect_uri: `${pageOrigin(shop)}/identity/callback/google`,
      scope: 'openid email profile',
      prompt: 'select_account',
      state: expect.stringMatching(/^[\w-]{32}$/),
      nonce: expect.stringMatching(/^[\w-]{32}$/),
      code_challenge_method: 'S256',
      code_challenge: expect.any(String),
    });
  });

  it('stores none of Google’s tokens', async () => {
    const person = aGooglePerson();
    google.sign(person);
    await signInWithGoogle(shop);
    await signInWithGoogle(shop);
    expect((await readGoogleAccount(person.email))?.account).toMatchObject({
      accountId: person.sub,
      accessToken: null,
      refreshToken: null,
      idToken: null,
    });
  });

  it('shows in the popup that the person cancelled', async () => {
    const began = await beginSignIn(shop);
    google.server.service.once(Events.BeforeAuthorizeRedirect, ({ url }) => {
      url.searchParams.delete('code');
      url.searchParams.set('error', 'access_denied');
    });
    const callback = await visitGoogle(began.body.url);
    const answer = await shop.request(callback, { headers: { cookie: readCookie(began) } });
    expect(readOutcome(answer)).toEqual({ cookie: '', error: 'access_denied' });
    expect(answer.headers.get('location')).toContain('id=window-1');
  });

  it('shows a refused code in the popup and logs the reason', async () => {
    google.sign(aGooglePerson());
    google.server.service.once(Events.BeforeResponse, (response) => {
      Object.assign(response, { statusCode: 401, body: { error: 'invalid_client' } });
    });
    expect(await signInWithGoogle(shop)).toEqual({ cookie: '', error: 'invalid_code' });
    expect(lines.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({
        code: 'invalid_client',
        msg: 'identity: Failed to validate authorization code',
      }),
    );
  });

  it('logs the status if Google gives no reason', async () => {
    google.sign(aGooglePerson());
    google.server.service.once(Events.BeforeResponse, (response) => {
      Object.assign(response, { statusCode: 500, body: '' });
    });
    expect(await signInWithGoogle(shop)).toEqual({ cookie: '', error: 'invalid_code' });
    expect(lines.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({
        code: 'status 500',
        msg: 'identity: Failed to validate authorization code',
      }),
    );
  });

  it('logs neither tokens nor addresses', async () => {
    const person = aGooglePerson();
    google.sign(person);
    await signInWithGoogle(shop);
    const log = lines.join('\n');
    expect(log).not.toContain(person.email);
    expect(log).not.toContain('eyJ');
  });
});

describe('a Google that does not answer the code exchange', () => {
  it('times out in seconds and tells the page', async () => {
    const waiting = await startForTest({ env: await startWithoutTokens() });
    await untilGoogleIsThere(waiting);
    const began = await beginSignIn(waiting);
    const callback = await visitGoogle(began.body.url);
    const answer = await waiting.request(callback, { headers: { cookie: readCookie(began) } });
    expect(readOutcome(answer)).toEqual({ cookie: '', error: 'invalid_code' });
    expect(answer.headers.get('location')).toContain('id=window-1');
    waiting.expectErrors([{ code: 'ETIMEDOUT', msg: 'identity: Failed to validate authorization code' }]);
  });

  /** Google's token endpoint hangs. */
  async function startWithoutTokens() {
    const document = await (await fetch(google.env.GOOGLE_DISCOVERY_URL ?? '')).json();
    const server = createServer(({ url }, response) => {
      if (url === '/discovery') response.end(JSON.stringify(document));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    document.token_endpoint = `${origin}/token`;
    onTestFinished(() => {
      server.close();
      server.closeAllConnections();
    });
    return { ...google.env, GOOGLE_DISCOVERY_URL: `${origin}/discovery` };
  }
});

describe('a shop without a connection to Google', () => {
  it('opens with passwords, says so, and adds Google once reachable', async () => {
    const port = await freePort();
    const env = {
      GOOGLE_CLIENT_ID: CLIENT_ID,
      GOOGLE_CLIENT_SECRET: 'a secret',
      GOOGLE_DISCOVERY_URL: `http://127.0.0.1:${port}/.well-known/openid-configuration`,
    };
    const warnings: string[] = [];
    const alone = await startForTest({ env, onLine: (line) => warnings.push(line) });
    let late: FakeGoogle | undefined;
    try {
      await vi.waitFor(() => expect(warnings.join()).toContain('Google cannot be reached'), {
        timeout: 10_000,
      });
      const account = await anAccount(alone);
      expect((await signIn(alone, account)).status).toBe(200);
      expect((await alone.request('/config')).body.identity.google).toBe(false);
      const ready = await alone.request('/readyz');
      expect([ready.status, ready.body]).toEqual([200, { database: true, identity: true, google: false }]);
      const refused = await beginSignIn(alone);
      expect([refused.status, refused.body.code]).toEqual([404, 'PROVIDER_NOT_FOUND']);

      late = await startGoogle(port);
      await untilGoogleIsThere(alone);
      expect((await alone.request('/readyz')).body.google).toBe(true);
      late.sign(aGooglePerson());
      expect((await signInWithGoogle(alone)).error).toBeNull();
      // Open sessions stay.
      expect((await fetchIdToken(alone, account)).length).toBeGreaterThan(0);
    } finally {
      await late?.stop();
    }
  });
});

describe('a shop without Google', () => {
  it('says so and serves none of its paths', async () => {
    const plain = await startForTest();
    expect((await plain.request('/config')).body.identity.google).toBe(false);
    expect((await plain.request('/readyz')).body).toEqual({ database: true, identity: true });
    expect((await beginSignIn(plain)).status).toBe(404);
    expect((await plain.request('/identity/callback/google?state=x&code=y')).status).toBe(404);
  });
});

import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createAdmin } from '#src/identity/administrators.ts';
import { identityAccounts, identityUsers } from '#src/identity/schema.ts';
import {
  aGooglePerson,
  beginSignIn,
  type FakeGoogle,
  readOutcome,
  signInWithGoogle,
  startGoogle,
  untilGoogleIsThere,
  visitGoogle,
} from '#test/google.ts';
import {
  type Account,
  anAccount,
  anAdministrator,
  askIdentity,
  exchange,
  fetchAccessToken,
  fetchIdToken,
  newEmail,
  readCookie,
  signIn,
} from '#test/identity.ts';
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

/** The address of an account was proven, as a mail would do it. */
const proveAddress = ({ email }: Pick<Account, 'email'>) =>
  shop.services.database.db
    .update(identityUsers)
    .set({ emailVerified: true })
    .where(eq(identityUsers.email, email));

const findAccounts = (email: string) =>
  shop.services.database.db
    .select({
      id: identityUsers.id,
      emailVerified: identityUsers.emailVerified,
      provider: identityAccounts.providerId,
    })
    .from(identityUsers)
    .innerJoin(identityAccounts, eq(identityAccounts.userId, identityUsers.id))
    .where(eq(identityUsers.email, email));

/** Who signs in, in the eyes of the shop. */
async function readProfile(cookie: string, email: string) {
  const bought = await exchange(shop, await fetchIdToken(shop, { cookie }), { email, name: 'From the page' });
  expect(bought.status).toBe(200);
  return (await shop.request(`/user/${email}`, { token: bought.body.token })).body;
}

describe('somebody registered the address of another with a password, before its owner came with Google', () => {
  it('the owner gets the account, and everything the other had is dead', async () => {
    const squatter = await anAccount(shop, { name: 'Mallory' });
    const idToken = await fetchIdToken(shop, squatter);
    const accessToken = (await exchange(shop, idToken, squatter)).body.token;
    expect((await shop.request(`/user/${squatter.email}`, { token: accessToken })).status).toBe(200);

    google.sign(aGooglePerson({ email: squatter.email, name: 'The owner' }));
    const owner = await signInWithGoogle(shop);
    expect(owner.error).toBeNull();

    expect((await signIn(shop, squatter)).body.message).toBe('Invalid email or password');
    expect((await askIdentity(shop, '/get-session', undefined, squatter.cookie)).body).toBeNull();
    expect((await askIdentity(shop, '/token', undefined, squatter.cookie)).status).toBe(401);
    expect((await shop.request(`/user/${squatter.email}`, { token: accessToken })).status).toBe(401);
    expect((await exchange(shop, idToken, squatter)).status).toBe(401);
    expect(await readProfile(owner.cookie, squatter.email)).toMatchObject({
      name: 'The owner',
      role: 'user',
    });
    expect(await findAccounts(squatter.email)).toEqual([
      { id: expect.any(String), emailVerified: true, provider: 'google' },
    ]);
  });

  it('the trail has that the account changed hands, and of the account whose it was', async () => {
    const squatter = await anAccount(shop, { name: 'Mallory' });
    const accessToken = await fetchAccessToken(shop, squatter);
    const { body: profile } = await shop.request(`/user/${squatter.email}`, { token: accessToken });
    google.sign(aGooglePerson({ email: squatter.email, name: 'The owner' }));
    const owner = await signInWithGoogle(shop);
    await readProfile(owner.cookie, squatter.email);
    const { rows } = await shop.services.database.pool.query(
      'select event, user_id, actor, after from trail where user_id = $1 order by id',
      [profile._id],
    );
    expect(rows).toEqual(
      ['removed', 'bound'].map((signIn) => ({
        event: 'account-taken-over',
        user_id: profile._id,
        actor: 'visitor',
        after: { signIn },
      })),
    );
    const data = await shop.request(`/user/${squatter.email}/data`, {
      token: (await exchange(shop, await fetchIdToken(shop, owner), squatter)).body.token,
    });
    const methods = await askIdentity(shop, '/list-accounts', undefined, owner.cookie);
    expect(methods.body).toMatchObject([{ providerId: 'google' }]);
    expect(data.body.signIn).toMatchObject({ emailVerified: true, google: { id: expect.any(String) } });
  });

  it('the account is a new one, so that a sign-in under way with the old password comes to nothing', async () => {
    const squatter = await anAccount(shop);
    const [before] = await findAccounts(squatter.email);
    google.sign(aGooglePerson({ email: squatter.email }));
    await signInWithGoogle(shop);
    const [after] = await findAccounts(squatter.email);
    expect(after?.id).not.toBe(before?.id);
  });

  it('the address is compared without regard to case', async () => {
    const squatter = await anAccount(shop);
    google.sign(aGooglePerson({ email: squatter.email.toUpperCase() }));
    expect((await signInWithGoogle(shop)).error).toBeNull();
    expect((await signIn(shop, squatter)).status).toBe(401);
  });

  it('registering it again afterwards is refused', async () => {
    const person = aGooglePerson();
    google.sign(person);
    await signInWithGoogle(shop);
    const again = await askIdentity(shop, '/sign-up/email', {
      email: person.email,
      name: 'M',
      password: 'secret-1',
    });
    expect(again.status).toBe(422);
  });
});

describe('an address that Google has not proven', () => {
  it.each([false, 'false', 'true', undefined, null, 1])(
    'opens no account, makes none and removes none, with email_verified %j',
    async (email_verified) => {
      const [verified, unproven] = [await anAccount(shop), await anAccount(shop)];
      await proveAddress(verified);
      for (const email of [verified.email, unproven.email, newEmail()]) {
        google.sign(aGooglePerson({ email, email_verified }));
        const { cookie, error } = await signInWithGoogle(shop);
        expect(cookie).toBe('');
        expect(['email_not_verified', 'account_not_linked']).toContain(error);
      }
      for (const account of [verified, unproven]) {
        expect(await findAccounts(account.email)).toMatchObject([{ provider: 'credential' }]);
        expect((await signIn(shop, account)).status).toBe(200);
      }
    },
  );
});

describe('an account whose address is proven', () => {
  it('opens with Google as well, and keeps its name and its password', async () => {
    const account = await anAccount(shop, { name: 'Amara Okafor' });
    await proveAddress(account);
    google.sign(aGooglePerson({ email: account.email, name: 'Another name' }));
    const { cookie, error } = await signInWithGoogle(shop);
    expect(error).toBeNull();
    expect(await readProfile(cookie, account.email)).toMatchObject({ name: 'Amara Okafor' });
    expect((await signIn(shop, account)).status).toBe(200);
    const accounts = await findAccounts(account.email);
    expect(accounts.map(({ provider }) => provider).sort()).toEqual(['credential', 'google']);
  });

  it('is not inherited by another Google account that has its address now', async () => {
    const person = aGooglePerson();
    google.sign(person);
    expect((await signInWithGoogle(shop)).error).toBeNull();
    google.sign(aGooglePerson({ email: person.email }));
    expect(await signInWithGoogle(shop)).toEqual({ cookie: '', error: 'user_mismatch' });
    google.sign(person);
    expect((await signInWithGoogle(shop)).error).toBeNull();
  });

  it('stays the same when its Google account has another address, and takes nobody else’s', async () => {
    const [person, other] = [aGooglePerson(), await anAccount(shop)];
    google.sign(person);
    await signInWithGoogle(shop);
    google.sign({ ...person, email: other.email });
    const { cookie } = await signInWithGoogle(shop);
    expect((await askIdentity(shop, '/get-session', undefined, cookie)).body.user.email).toBe(person.email);
    expect((await signIn(shop, other)).status).toBe(200);
  });
});

describe('what a password protects beyond the address', () => {
  it('an administrator’s account is not joined to Google, whether its address is proven or not', async () => {
    const [unproven, proven] = [await anAdministrator(shop), await anAdministrator(shop)];
    await proveAddress(proven);
    for (const admin of [unproven, proven]) {
      google.sign(aGooglePerson({ email: admin.email }));
      const { cookie, error } = await signInWithGoogle(shop);
      expect(cookie).toBe('');
      expect(['password_needed', 'account_not_linked']).toContain(error);
      expect((await signIn(shop, admin)).status).toBe(200);
      expect((await shop.request('/user', { token: admin.token })).status).toBe(200);
    }
  });

  it('an administrator made by the command is not opened by the address alone', async () => {
    const email = newEmail();
    await createAdmin(shop.services, { email, name: 'Administrator', password: 'a long enough one' });
    google.sign(aGooglePerson({ email }));
    expect(await signInWithGoogle(shop)).toEqual({ cookie: '', error: 'password_needed' });
  });

  it('an account with a second factor is not opened without its code, even when Google opened it before', async () => {
    const person = aGooglePerson();
    google.sign(person);
    expect((await signInWithGoogle(shop)).error).toBeNull();
    await shop.services.database.db
      .update(identityUsers)
      .set({ twoFactorEnabled: true })
      .where(eq(identityUsers.email, person.email));
    expect(await signInWithGoogle(shop)).toEqual({ cookie: '', error: 'password_needed' });
  });

  it('an unproven account with a second factor is not removed', async () => {
    const account = await anAccount(shop);
    await shop.services.database.db
      .update(identityUsers)
      .set({ twoFactorEnabled: true })
      .where(eq(identityUsers.email, account.email));
    google.sign(aGooglePerson({ email: account.email }));
    expect(await signInWithGoogle(shop)).toEqual({ cookie: '', error: 'account_not_linked' });
    expect((await signIn(shop, account)).body.twoFactorRedirect).toBe(true);
  });
});

describe('a person who is removed', () => {
  it('is signed out at once with what Google had opened, and comes back as somebody new', async () => {
    const admin = await anAdministrator(shop);
    const person = aGooglePerson();
    google.sign(person);
    const { cookie } = await signInWithGoogle(shop);
    const idToken = await fetchIdToken(shop, { cookie });
    const { token } = (await exchange(shop, idToken, person)).body;
    const gone = await shop.request(`/user/${person.email}`, { method: 'DELETE', token: admin.token });
    expect(gone.body).toEqual({ deletedCount: 1 });

    expect((await shop.request(`/user/${person.email}`, { token })).status).toBe(401);
    expect((await askIdentity(shop, '/get-session', undefined, cookie)).body).toBeNull();
    expect((await exchange(shop, idToken, person)).status).toBe(401);
    expect(await findAccounts(person.email)).toEqual([]);

    const again = await signInWithGoogle(shop);
    expect(await readProfile(again.cookie, person.email)).toMatchObject({ role: 'user' });
  });

  it('does not come back by a sign-in that was on its way to Google', async () => {
    const admin = await anAdministrator(shop);
    const person = aGooglePerson();
    google.sign(person);
    const first = await signInWithGoogle(shop);
    await fetchAccessToken(shop, { ...person, password: '', cookie: first.cookie });
    const began = await beginSignIn(shop);
    const callback = await visitGoogle(began.body.url);
    await shop.request(`/user/${person.email}`, { method: 'DELETE', token: admin.token });
    const outcome = readOutcome(await shop.request(callback, { headers: { cookie: readCookie(began) } }));
    expect(outcome.error).toBeNull();
    // A new account, as if they had registered again: nothing of the old one is theirs.
    expect(await readProfile(outcome.cookie, person.email)).toMatchObject({ role: 'user' });
  });
});

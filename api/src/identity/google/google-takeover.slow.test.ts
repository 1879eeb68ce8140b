import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { createAdmin } from '#src/identity/administrators.ts';
import { identityAccounts, identityUsers } from '#src/identity/schema.ts';
import {
  aGooglePerson,
  beginSignIn,
  readOutcome,
  signInWithGoogle,
  useGoogle,
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

const { google, shop } = useGoogle();

/** Proves the address of an account, as a mailed link would. */
const proveAddress = ({ email }: Pick<Account, 'email'>) =>
  shop.db.update(identityUsers).set({ emailVerified: true }).where(eq(identityUsers.email, email));

const findAccounts = (email: string) =>
  shop.db
    .select({
      id: identityUsers.id,
      emailVerified: identityUsers.emailVerified,
      provider: identityAccounts.providerId,
    })
    .from(identityUsers)
    .innerJoin(identityAccounts, eq(identityAccounts.userId, identityUsers.id))
    .where(eq(identityUsers.email, email));

/** The signed-in user, as the shop sees them. */
async function readProfile(cookie: string, email: string) {
  const bought = await exchange(shop, await fetchIdToken(shop, { cookie }), { email, name: 'From the page' });
  expect(bought.status).toBe(200);
  return (await shop.request(`/user/${email}`, { token: bought.body.token })).body;
}

describe('an address that another person registered first with a password', () => {
  it('goes to its owner, and the other’s access ends', async () => {
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

  it('leaves a trail entry on the account that changed hands', async () => {
    const squatter = await anAccount(shop, { name: 'Mallory' });
    const accessToken = await fetchAccessToken(shop, squatter);
    const { body: profile } = await shop.request(`/user/${squatter.email}`, { token: accessToken });
    google.sign(aGooglePerson({ email: squatter.email, name: 'The owner' }));
    const owner = await signInWithGoogle(shop);
    await readProfile(owner.cookie, squatter.email);
    const { rows } = await shop.pool.query(
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

  it('gets a new account, so a concurrent old sign-in fails', async () => {
    const squatter = await anAccount(shop);
    const [before] = await findAccounts(squatter.email);
    google.sign(aGooglePerson({ email: squatter.email }));
    await signInWithGoogle(shop);
    const [after] = await findAccounts(squatter.email);
    expect(after?.id).not.toBe(before?.id);
  });

  it('is compared regardless of case', async () => {
    const squatter = await anAccount(shop);
    google.sign(aGooglePerson({ email: squatter.email.toUpperCase() }));
    expect((await signInWithGoogle(shop)).error).toBeNull();
    expect((await signIn(shop, squatter)).status).toBe(401);
  });

  it('cannot be registered again afterwards', async () => {
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
  it('opens with Google too, and keeps name and password', async () => {
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

  it('ignores another Google account that now has its address', async () => {
    const person = aGooglePerson();
    google.sign(person);
    expect((await signInWithGoogle(shop)).error).toBeNull();
    google.sign(aGooglePerson({ email: person.email }));
    expect(await signInWithGoogle(shop)).toEqual({ cookie: '', error: 'user_mismatch' });
    google.sign(person);
    expect((await signInWithGoogle(shop)).error).toBeNull();
  });

  it('survives a change of address at Google and takes none over', async () => {
    const [person, other] = [aGooglePerson(), await anAccount(shop)];
    google.sign(person);
    await signInWithGoogle(shop);
    google.sign({ ...person, email: other.email });
    const { cookie } = await signInWithGoogle(shop);
    expect((await askIdentity(shop, '/get-session', undefined, cookie)).body.user.email).toBe(person.email);
    expect((await signIn(shop, other)).status).toBe(200);
  });
});

describe('an account that needs its password', () => {
  it('is not linked to Google if an administrator’s', async () => {
    const [unproven, proven] = [await anAdministrator(shop), await anAdministrator(shop)];
    await proveAddress(proven);
    for (const admin of [unproven, proven]) {
      google.sign(aGooglePerson({ email: admin.email }));
      const { cookie, error } = await signInWithGoogle(shop);
      expect(cookie).toBe('');
      expect(['password_needed', 'account_not_linked']).toContain(error);
      expect((await signIn(shop, admin)).status).toBe(200);
      expect((await admin.get('/user')).status).toBe(200);
    }
  });

  it('is not opened by address if the command created it', async () => {
    const email = newEmail();
    await createAdmin(shop.services, { email, name: 'Administrator', password: 'a long enough one' });
    google.sign(aGooglePerson({ email }));
    expect(await signInWithGoogle(shop)).toEqual({ cookie: '', error: 'password_needed' });
  });

  it('is not opened without its second factor, even if linked', async () => {
    const person = aGooglePerson();
    google.sign(person);
    expect((await signInWithGoogle(shop)).error).toBeNull();
    await shop.db
      .update(identityUsers)
      .set({ twoFactorEnabled: true })
      .where(eq(identityUsers.email, person.email));
    expect(await signInWithGoogle(shop)).toEqual({ cookie: '', error: 'password_needed' });
  });

  it('is not removed if unproven but with a second factor', async () => {
    const account = await anAccount(shop);
    await shop.db
      .update(identityUsers)
      .set({ twoFactorEnabled: true })
      .where(eq(identityUsers.email, account.email));
    google.sign(aGooglePerson({ email: account.email }));
    expect(await signInWithGoogle(shop)).toEqual({ cookie: '', error: 'account_not_linked' });
    expect((await signIn(shop, account)).body.twoFactorRedirect).toBe(true);
  });
});

describe('a removed person', () => {
  it('loses Google’s sign-in at once and returns as a new user', async () => {
    const admin = await anAdministrator(shop);
    const person = aGooglePerson();
    google.sign(person);
    const { cookie } = await signInWithGoogle(shop);
    const idToken = await fetchIdToken(shop, { cookie });
    const { token } = (await exchange(shop, idToken, person)).body;
    const gone = await admin.delete(`/user/${person.email}`);
    expect(gone.body).toEqual({ deletedCount: 1 });

    expect((await shop.request(`/user/${person.email}`, { token })).status).toBe(401);
    expect((await askIdentity(shop, '/get-session', undefined, cookie)).body).toBeNull();
    expect((await exchange(shop, idToken, person)).status).toBe(401);
    expect(await findAccounts(person.email)).toEqual([]);

    const again = await signInWithGoogle(shop);
    expect(await readProfile(again.cookie, person.email)).toMatchObject({ role: 'user' });
  });

  it('does not return through a sign-in already at Google', async () => {
    const admin = await anAdministrator(shop);
    const person = aGooglePerson();
    google.sign(person);
    const first = await signInWithGoogle(shop);
    await fetchAccessToken(shop, { ...person, password: '', cookie: first.cookie });
    const began = await beginSignIn(shop);
    const callback = await visitGoogle(began.body.url);
    await admin.delete(`/user/${person.email}`);
    const outcome = readOutcome(await shop.request(callback, { headers: { cookie: readCookie(began) } }));
    expect(outcome.error).toBeNull();
    // A new account, without anything of the old one.
    expect(await readProfile(outcome.cookie, person.email)).toMatchObject({ role: 'user' });
  });
});

import { randomUUID } from 'node:crypto';
import { changeRole } from '#src/users/change-role.ts';
import { findUserByEmail } from '#src/users/store.ts';
import type { Answer } from './answer.ts';
import { type Person, personAt } from './person.ts';
import type { TestShop } from './start-shop.ts';
import { queueBehind } from './waiting-statements.ts';

export interface Account {
  email: string;
  name: string;
  password: string;
  cookie: string;
}

export const newEmail = () => `${randomUUID()}@fieldrepair.example`;

/** Like the page: with its origin, and a cookie if given. */
export const askIdentity = (shop: TestShop, path: string, body?: unknown, cookie?: string): Promise<Answer> =>
  shop.request(`/identity${path}`, {
    ...(body !== undefined && { method: 'POST', body }),
    headers: { origin: shop.url, ...(cookie && { cookie }) },
  });

export const readCookie = ({ headers }: Answer): string =>
  headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');

/** Not yet a user of the shop. */
export async function anAccount(
  shop: TestShop,
  { email = newEmail(), name = 'Amara Okafor', password = 'secret-1' } = {},
): Promise<Account> {
  const answer = await askIdentity(shop, '/sign-up/email', { email, name, password });
  if (answer.status !== 200) throw new Error(`The sign-up was refused: ${JSON.stringify(answer.body)}`);
  return { email, name, password, cookie: readCookie(answer) };
}

export async function fetchIdToken(shop: TestShop, { cookie }: Pick<Account, 'cookie'>): Promise<string> {
  const answer = await askIdentity(shop, '/token', undefined, cookie);
  if (answer.status !== 200) throw new Error(`There is no session: ${JSON.stringify(answer.body)}`);
  return answer.body.token;
}

/** As the page sends it. */
export const exchange = (
  shop: TestShop,
  idToken: string,
  { email, name = 'Amara Okafor' }: { email: string; name?: string },
): Promise<Answer> =>
  shop.request(`/user/${encodeURIComponent(email)}`, {
    method: 'PUT',
    token: idToken,
    body: { email, name },
  });

/** Creates the shop's user. @returns its access token */
export async function fetchAccessToken(shop: TestShop, account: Account): Promise<string> {
  const answer = await exchange(shop, await fetchIdToken(shop, account), account);
  if (answer.status !== 200) throw new Error(`The exchange was refused: ${JSON.stringify(answer.body)}`);
  return answer.body.token;
}

/** Calls the shop with its access token. */
export type Member = Account & Person;

export async function aCustomer(
  shop: TestShop,
  given: Parameters<typeof anAccount>[1] = {},
): Promise<Member> {
  const account = await anAccount(shop, given);
  const token = await fetchAccessToken(shop, account);
  const userId = (await findUserByEmail(shop.db, account.email))?.id ?? '';
  return { ...account, ...personAt(shop, { ...account, userId, token }) };
}

export async function anAdministrator(
  shop: TestShop,
  { password = 'a long enough one' } = {},
): Promise<Member> {
  const account = await aCustomer(shop, { password });
  await shop.services.changes.write(async (tx, changed) => {
    const now = shop.services.clock.now();
    await changeRole(tx, shop.services, { email: account.email, role: 'admin', now, by: null });
    changed('users');
  });
  return account;
}

/** Both have read the former hash, and wait for the account's row in this order. */
export const queueBoth = (
  shop: TestShop,
  { email }: Pick<Account, 'email'>,
  first: () => Promise<Answer>,
  then: () => Promise<Answer>,
): Promise<[Answer, Answer]> =>
  queueBehind(
    shop,
    [
      'select from identity.account a join identity."user" u on u.id = a.user_id where u.email = $1 for update of a',
      email,
    ],
    first,
    then,
  );

/** With these cookies. */
export async function signIn(
  shop: TestShop,
  { email, password }: Pick<Account, 'email' | 'password'>,
  cookie?: string,
): Promise<Answer> {
  return askIdentity(shop, '/sign-in/email', { email, password }, cookie);
}

import { type APIRequestContext, expect, type Page } from '@playwright/test';

export interface Person {
  name: string;
  email: string;
  password: string;
}

let count = 0;

/** Somebody nobody has registered yet. */
export function createPerson(name = 'Amara Okafor'): Person {
  count += 1;
  const unique = `${Date.now().toString(36)}-${process.pid}-${count}`;
  return {
    name,
    email: `${name.split(' ')[0]?.toLowerCase()}-${unique}@repair.example`,
    password: 'secret 1',
  };
}

/** The first administrator, as the settings of the shop under test made them. */
export const administrator: Person = {
  name: 'Administrator',
  email: String(process.env.ADMIN_EMAIL),
  password: String(process.env.ADMIN_PASSWORD),
};

/** Registers somebody with the identity service and the shop. The sign-in stays open, as its token ends with it. */
export async function register(request: APIRequestContext, person = createPerson()): Promise<Person> {
  cacheToken(person, await openSession(request, 'sign-up', person));
  return person;
}

/** Registers somebody whom the first administrator makes one, too: for what stories must not do to the first. */
export async function registerAdministrator(request: APIRequestContext, name: string): Promise<Person> {
  const person = await register(request, createPerson(name));
  const response = await request.put(`/user/admin/${encodeURIComponent(person.email)}`, {
    headers: authorize(await getAccessToken(request, administrator)),
    data: { role: 'admin' },
  });
  expect(response.status()).toBe(200);
  return person;
}

/** An access token of somebody registered, for making calls beside the page. */
export async function getAccessToken(request: APIRequestContext, person: Person): Promise<string> {
  const cached = tokens.get(person.email);
  if (cached && Date.now() < cached.until) return cached.token;
  return cacheToken(person, await openSession(request, 'sign-in', person));
}

/** Signs somebody registered in on this page, as the login page would, and opens `to`. */
export async function signIn(page: Page, person: Person, to = '/'): Promise<void> {
  const token = await openSession(page.request, 'sign-in', person);
  // The lightest page from which the shop's storage can be reached.
  await page.goto('/robots.txt');
  await page.evaluate((value) => localStorage.setItem('accessToken', value), token);
  await page.goto(to);
  await expect(page).toHaveURL(to);
}

/** Fills the login page in and sends it. */
export async function submitLogin(page: Page, { email, password }: Person): Promise<void> {
  const button = page.getByRole('button', { name: 'Login', exact: true });
  // Its own fields, as those of /register, with the same labels, may be there for a moment more.
  const form = page.locator('form').filter({ has: button });
  await form.getByLabel('Email').fill(email);
  await form.getByLabel('Password').fill(password);
  await button.click();
}

/** The access token where the page stores it; null for who is signed out. */
export const readAccessToken = (page: Page): Promise<string | null> =>
  page.evaluate(() => localStorage.getItem('accessToken'));

/** The access token has run out, and the session at the identity service, too. */
export async function expireSession(page: Page): Promise<void> {
  await page.context().clearCookies();
  await page.evaluate(() => localStorage.setItem('accessToken', 'a-token-that-has-run-out'));
}

/** The header that carries an access token. */
export const authorize = (token: string) => ({ authorization: `Bearer ${token}` });

/** Tokens for the calls beside the page: hashing a password anew for every call would take most of the time. */
const tokens = new Map<string, { token: string; until: number }>();

function cacheToken({ email }: Person, token: string): string {
  // A token lives for 15 minutes, a story for two at most.
  tokens.set(email, { token, until: Date.now() + 10 * 60_000 });
  return token;
}

/** Signs up or in with the identity service, whose cookie `request` keeps. @returns the shop's access token */
async function openSession(
  request: APIRequestContext,
  how: 'sign-in' | 'sign-up',
  person: Person,
): Promise<string> {
  await post(request, `/identity/${how}/email`, person);
  const { token: proof } = await (await request.get('/identity/token')).json();
  const response = await request.put(`/user/${encodeURIComponent(person.email)}`, {
    headers: authorize(proof),
    data: { email: person.email, name: person.name },
  });
  expect(response.status()).toBe(200);
  return (await response.json()).token;
}

/** The identity service looks at the origin, which a browser always sends. */
async function post(request: APIRequestContext, path: string, data: object): Promise<void> {
  const origin = `http://localhost:${process.env.E2E_PORT}`;
  const response = await request.post(path, { data, headers: { origin } });
  expect(response.ok(), `${path}: ${await response.text()}`).toBe(true);
}

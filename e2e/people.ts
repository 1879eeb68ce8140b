import { type APIRequestContext, expect, type Page } from '@playwright/test';

export interface Person {
  name: string;
  email: string;
  password: string;
}

let made = 0;

/** Somebody nobody has registered yet. */
export function aPerson(name = 'Amara Okafor'): Person {
  made += 1;
  const unique = `${Date.now().toString(36)}-${process.pid}-${made}`;
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

/** Registers somebody with the identity service and the shop; signed in nowhere afterwards. */
export async function registered(request: APIRequestContext, person = aPerson()): Promise<Person> {
  remember(person, await enter(request, 'sign-up', person));
  await post(request, '/identity/sign-out', {});
  return person;
}

/** An access token of somebody registered, for making calls beside the page. */
export async function accessTokenOf(request: APIRequestContext, person: Person): Promise<string> {
  const known = tokens.get(person.email);
  if (known && Date.now() < known.until) return known.token;
  const token = await enter(request, 'sign-in', person);
  await post(request, '/identity/sign-out', {});
  return remember(person, token);
}

/** Somebody registered is signed in on this page, as the login page leaves them, and opens the page `to`. */
export async function signIn(page: Page, person: Person, to = '/'): Promise<void> {
  const token = await enter(page.request, 'sign-in', person);
  // The lightest page from which the shop's storage can be reached.
  await page.goto('/robots.txt');
  await page.evaluate((stored) => localStorage.setItem('accessToken', stored), token);
  await page.goto(to);
  await expect(page).toHaveURL(to);
}

/** Fills the login page in and sends it. */
export async function logIn(page: Page, { email, password }: Person): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Login', exact: true }).click();
}

/** The access token has run out, and the session at the identity service, too. */
export async function letSessionRunOut(page: Page): Promise<void> {
  await page.context().clearCookies();
  await page.evaluate(() => localStorage.setItem('accessToken', 'a-token-that-has-run-out'));
}

/** Tokens for the calls beside the page: hashing a password anew for every call would take most of the time. */
const tokens = new Map<string, { token: string; until: number }>();

function remember({ email }: Person, token: string): string {
  // A token lives for 15 minutes, a story for one at most.
  tokens.set(email, { token, until: Date.now() + 10 * 60_000 });
  return token;
}

/** Signs up or in with the identity service, whose cookie `request` keeps. @returns the shop's access token */
async function enter(
  request: APIRequestContext,
  how: 'sign-in' | 'sign-up',
  person: Person,
): Promise<string> {
  await post(request, `/identity/${how}/email`, person);
  const { token: proof } = await (await request.get('/identity/token')).json();
  const answer = await request.put(`/user/${encodeURIComponent(person.email)}`, {
    headers: { authorization: `Bearer ${proof}` },
    data: { email: person.email, name: person.name },
  });
  expect(answer.status()).toBe(200);
  return (await answer.json()).token;
}

/** The identity service looks at the origin, which a browser always sends. */
async function post(request: APIRequestContext, path: string, data: object): Promise<void> {
  const origin = `http://localhost:${process.env.E2E_PORT}`;
  const answer = await request.post(path, { data, headers: { origin } });
  expect(answer.ok(), `${path}: ${await answer.text()}`).toBe(true);
}

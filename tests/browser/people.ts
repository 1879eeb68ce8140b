import { type APIRequestContext, expect, type Page } from '@playwright/test';

type Cookies = Awaited<ReturnType<APIRequestContext['storageState']>>['cookies'];

export interface Person {
  name: string;
  email: string;
  password: string;
}

let count = 0;

/** A person without an account. */
export function createPerson(name = 'Amara Okafor'): Person {
  count += 1;
  const unique = `${Date.now().toString(36)}-${process.pid}-${count}`;
  return {
    name,
    email: `${name.split(' ')[0]?.toLowerCase()}-${unique}@repair.example`,
    password: 'secret 1',
  };
}

/** The first administrator in the settings of the shop under test. */
export const administrator: Person = {
  name: 'Administrator',
  email: String(process.env.ADMIN_EMAIL),
  password: String(process.env.ADMIN_PASSWORD),
};

/** Registers with identity service and shop. The session stays open for `signIn` and calls. */
export async function register(request: APIRequestContext, person = createPerson()): Promise<Person> {
  await openSession(request, 'sign-up', person);
  return person;
}

let customer: Promise<Person> | undefined;

/** A customer shared by a worker's stories, which must not change account, orders or batch. */
export function getCustomer(request: APIRequestContext): Promise<Person> {
  customer ??= register(request);
  return customer;
}

/** Registers another administrator, for changes that the first must not undergo. */
export async function registerAdministrator(request: APIRequestContext, name: string): Promise<Person> {
  const person = await register(request, createPerson(name));
  const response = await request.put(`/user/admin/${encodeURIComponent(person.email)}`, {
    headers: authorize(await getAccessToken(request, administrator)),
    data: { role: 'admin' },
  });
  expect(response.status()).toBe(200);
  return person;
}

/** An access token for calls outside the page. */
export async function getAccessToken(request: APIRequestContext, person: Person): Promise<string> {
  return (await getSession(request, person)).token;
}

/** Signs in on this page like the login page, and opens `to`. */
export async function signIn(page: Page, person: Person, to = '/'): Promise<void> {
  const { token, cookies } = await getSession(page.request, person);
  await page.context().addCookies(cookies);
  // The lightest page with access to the shop's storage.
  await page.goto('/robots.txt');
  await page.evaluate((value) => localStorage.setItem('accessToken', value), token);
  await page.goto(to);
  await expect(page).toHaveURL(to);
}

/** Registers through the page, which leads to /login. */
export async function registerByPage(page: Page, { name, email, password }: Person): Promise<void> {
  await page.goto('/register');
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'SIGN UP' }).click();
}

/** Fills in and submits the login page. */
export async function submitLogin(page: Page, { email, password }: Person): Promise<void> {
  const button = page.getByRole('button', { name: 'Login', exact: true });
  // Fields with the same labels on /register may still be present for a moment.
  const form = page.locator('form').filter({ has: button });
  await form.getByLabel('Email').fill(email);
  await form.getByLabel('Password').fill(password);
  await button.click();
}

/** The page's stored access token; null when signed out. */
export const readAccessToken = (page: Page): Promise<string | null> =>
  page.evaluate(() => localStorage.getItem('accessToken'));

export const authorize = (token: string) => ({ authorization: `Bearer ${token}` });

interface Session {
  token: string;
  /** The identity service's. */
  cookies: Cookies;
  until: number;
}

/** One session for each person and worker: hashing a password each time would take most of the run. */
const sessions = new Map<string, Session>();

async function getSession(request: APIRequestContext, person: Person): Promise<Session> {
  const session = sessions.get(person.email);
  return session && Date.now() < session.until ? session : await openSession(request, 'sign-in', person);
}

/** Signs up or in with the identity service. */
async function openSession(
  request: APIRequestContext,
  how: 'sign-in' | 'sign-up',
  person: Person,
): Promise<Session> {
  await post(request, `/identity/${how}/email`, person);
  const { token: proof } = await (await request.get('/identity/token')).json();
  const response = await request.put(`/user/${encodeURIComponent(person.email)}`, {
    headers: authorize(proof),
    data: { email: person.email, name: person.name },
  });
  expect(response.status()).toBe(200);
  const { token } = await response.json();
  const { cookies } = await request.storageState();
  // Tokens live for 15 minutes, stories for two at most.
  const session = { token, cookies, until: Date.now() + 10 * 60_000 };
  sessions.set(person.email, session);
  return session;
}

/** The identity service checks the origin, which browsers always send. */
async function post(request: APIRequestContext, path: string, data: object): Promise<void> {
  const origin = `http://localhost:${process.env.E2E_PORT}`;
  const response = await request.post(path, { data, headers: { origin } });
  expect(response.ok(), `${path}: ${await response.text()}`).toBe(true);
}

import { type APIRequestContext, expect, type Page } from '@playwright/test';

type Cookies = Awaited<ReturnType<APIRequestContext['storageState']>>['cookies'];

export interface Person {
  name: string;
  email: string;
  password: string;
}

let count = 0;

export function createPerson(name = 'Amara Okafor'): Person {
  count += 1;
  const unique = `${Date.now().toString(36)}-${process.pid}-${count}`;
  return {
    name,
    email: `${name.split(' ')[0]?.toLowerCase()}-${unique}@repair.example`,
    password: 'secret 1',
  };
}

/** As set for the shop under test. */
export const administrator: Person = {
  name: 'Administrator',
  email: String(process.env.ADMIN_EMAIL),
  password: String(process.env.ADMIN_PASSWORD),
};

/** Leaves the session open for `signIn` and calls. */
export async function register(request: APIRequestContext, person = createPerson()): Promise<Person> {
  await openSession(request, 'sign-up', person);
  return person;
}

let customer: Promise<Person> | undefined;

/** Shared by a worker's stories, which must not change account, orders or batch. */
export function getCustomer(request: APIRequestContext): Promise<Person> {
  customer ??= register(request);
  return customer;
}

/** For changes that the first administrator must not undergo. */
export async function registerAdministrator(request: APIRequestContext, name: string): Promise<Person> {
  const person = await register(request, createPerson(name));
  const path = `/user/admin/${encodeURIComponent(person.email)}`;
  await callAs(request, administrator, 'PUT', path, { role: 'admin' });
  return person;
}

export async function getAccessToken(request: APIRequestContext, person: Person): Promise<string> {
  return (await getSession(request, person)).token;
}

/** Shares the session. */
export async function signIn(page: Page, person: Person, to = '/'): Promise<void> {
  const { token, cookies } = await getSession(page.request, person);
  await page.context().addCookies(cookies);
  // The lightest page with the shop's storage.
  await page.goto('/robots.txt');
  await page.evaluate((value) => localStorage.setItem('accessToken', value), token);
  await page.goto(to);
  await expect(page).toHaveURL(to);
}

/** Leads to /login. */
export async function registerByPage(page: Page, { name, email, password }: Person): Promise<void> {
  await page.goto('/register');
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'SIGN UP' }).click();
}

export async function submitLogin(page: Page, { email, password }: Person): Promise<void> {
  const button = page.getByRole('button', { name: 'Login', exact: true });
  // /register has the same labels and may still be present.
  const form = page.locator('form').filter({ has: button });
  await form.getByLabel('Email').fill(email);
  await form.getByLabel('Password').fill(password);
  await button.click();
}

/** Null when signed out. */
export const readAccessToken = (page: Page): Promise<string | null> =>
  page.evaluate(() => localStorage.getItem('accessToken'));

export const authorize = (token: string) => ({ authorization: `Bearer ${token}` });

/** Outside the page, as by another tab or person. @returns the body of a success */
export async function callAs(
  request: APIRequestContext,
  person: Person,
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  data?: object,
  headers: Record<string, string> = {},
) {
  const authorization = authorize(await getAccessToken(request, person));
  const response = await request.fetch(path, {
    method,
    headers: { ...authorization, ...headers },
    ...(data && { data }),
  });
  expect(response.status(), `${method} ${path}: ${await response.text()}`).toBe(200);
  return response.json();
}

interface Session {
  token: string;
  /** Of the identity service. */
  cookies: Cookies;
  until: number;
}

/** One a person and worker: hashing passwords would take most of the run. */
const sessions = new Map<string, Session>();

async function getSession(request: APIRequestContext, person: Person): Promise<Session> {
  const session = sessions.get(person.email);
  return session && Date.now() < session.until ? session : await openSession(request, 'sign-in', person);
}

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

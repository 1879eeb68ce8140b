import type { Login } from './load.ts';
import { administrator } from './shop-process.ts';

/** @returns an access token */
export const signInAsAdministrator = (shop: string): Promise<string> => signIn(shop, administrator);

/** Like the page: session, proof, token. @returns an access token */
export async function signIn(shop: string, login: Login): Promise<string> {
  const { email } = login;
  const origin = { origin: shop, 'content-type': 'application/json' };
  const session = await ask(`${shop}/identity/sign-in/email`, {
    method: 'POST',
    headers: origin,
    body: JSON.stringify(login),
  });
  const cookie = session.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  const proof = await ask(`${shop}/identity/token`, { headers: { origin: shop, cookie } });
  const exchanged = await ask(`${shop}/user/${encodeURIComponent(email)}`, {
    method: 'PUT',
    headers: { ...origin, authorization: `Bearer ${await readText(proof, 'token')}` },
    body: JSON.stringify({ email, name: 'Bench' }),
  });
  return readText(exchanged, 'token');
}

/** @throws Error when refused */
export async function register(shop: string, { email, password }: Login): Promise<void> {
  const headers = { origin: shop, 'content-type': 'application/json' };
  const body = JSON.stringify({ email, password, name: 'Bench' });
  await ask(`${shop}/identity/sign-up/email`, { method: 'POST', headers, body });
}

/** @throws Error for a status other than 200 */
export async function ask(address: string, options: RequestInit): Promise<Response> {
  const answer = await fetch(address, options);
  if (answer.status !== 200) throw new Error(`${address} was answered ${answer.status}.`);
  return answer;
}

/** @throws Error when the field is missing */
export async function readText(answer: Response, field: string): Promise<string> {
  const body: unknown = await answer.json();
  const value = body instanceof Object ? Object.entries(body).find(([name]) => name === field)?.[1] : null;
  if (typeof value !== 'string') throw new Error(`${answer.url} gave no ${field}.`);
  return value;
}

import { administrator } from './shop-process.ts';

/** Like the page: session, proof, token. @returns an access token */
export async function signInAsAdministrator(shop: string): Promise<string> {
  const headers = { origin: shop, 'content-type': 'application/json' };
  const session = await ask(`${shop}/identity/sign-in/email`, {
    method: 'POST',
    headers,
    body: JSON.stringify(administrator),
  });
  const cookie = session.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  const proof = await ask(`${shop}/identity/token`, { headers: { origin: shop, cookie } });
  const { email } = administrator;
  const exchanged = await ask(`${shop}/user/${encodeURIComponent(email)}`, {
    method: 'PUT',
    headers: { ...headers, authorization: `Bearer ${await readText(proof, 'token')}` },
    body: JSON.stringify({ email, name: 'Bench' }),
  });
  return readText(exchanged, 'token');
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

import { openSession } from '../api/test/open-session.ts';
import { administrator } from './shop-process.ts';

/** @returns an access token */
export const signInAsAdministrator = (shop: string): Promise<string> =>
  openSession(shop, { ...administrator, name: 'Bench', isNew: false });

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

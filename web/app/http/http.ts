import { OfflineError, ShopProblem } from './errors.ts';

/**
 * Sends a request to the shop.
 * @throws OfflineError when it could not be sent or no answer came
 */
export async function sendRequest(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, init);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new OfflineError();
  }
}

/**
 * Gives the answer back if it is a success.
 * @throws ShopProblem for every other one
 */
export async function expectSuccess(response: Response): Promise<Response> {
  if (response.ok) return response;
  const body: unknown = await response.json().catch(() => null);
  throw new ShopProblem(response.status, body, response.headers);
}

/**
 * Reads what the shop answered. Its answers are of the shape that the contract describes; the server's tests check
 * that, so the page does not check it again.
 * @throws OfflineError when the answer was cut off or is none of the shop's: whether a write was done is not known
 */
export async function readAnswer<Answer>(response: Response): Promise<Answer> {
  if (response.status === 204) return null as Answer;
  try {
    return (await response.json()) as Answer;
  } catch {
    throw new OfflineError();
  }
}

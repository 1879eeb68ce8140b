import { OfflineError, ShopProblem } from './errors.ts';

/** @throws OfflineError when the request could not be sent or got no answer */
export async function sendRequest(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, init);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new OfflineError();
  }
}

/** @throws ShopProblem for every answer but a success */
export async function expectSuccess(response: Response): Promise<Response> {
  if (response.ok) return response;
  const body: unknown = await response.json().catch(() => null);
  throw new ShopProblem(response.status, body, response.headers);
}

/**
 * Unvalidated: the server's tests check the answers' shape.
 * @throws OfflineError for an incomplete or foreign answer, as the outcome of a write is then unknown
 */
export async function readAnswer<Answer>(response: Response): Promise<Answer> {
  if (response.status === 204) return null as Answer;
  try {
    return (await response.json()) as Answer;
  } catch {
    throw new OfflineError();
  }
}

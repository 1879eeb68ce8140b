import { IdentityError, parseRetryAfter } from '#app/http/errors.ts';
import { readAnswer, sendRequest } from '#app/http/http.ts';

/**
 * @throws IdentityError with the service's own message
 * @throws OfflineError also for an incomplete response, which must not mean "nobody is signed in"
 */
export async function askIdentityService<Answer>(
  method: 'GET' | 'POST',
  path: string,
  body?: object,
): Promise<Answer> {
  const response = await sendRequest(path, {
    method,
    // A sign-out must survive leaving the page.
    keepalive: method === 'POST',
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  if (response.ok) return readAnswer<Answer>(response);
  throw await readRefusal(response);
}

async function readRefusal(response: Response): Promise<IdentityError> {
  const body: unknown = await response.json().catch(() => null);
  const { message, detail, code } = (body ?? {}) as { message?: unknown; detail?: unknown; code?: unknown };
  return new IdentityError(
    String(message ?? detail ?? 'The sign-in service is not available at the moment.'),
    {
      status: response.status,
      code: typeof code === 'string' ? code : null,
      retryAfterSeconds: parseRetryAfter(response.headers.get('retry-after')),
      requestId: response.status >= 500 ? response.headers.get('x-request-id') : null,
    },
  );
}

import * as z from 'zod/mini';
import { Problem } from '#src/platform/core/problem.ts';

/** Shorter than a waiting person's patience. */
const TIMEOUT_MS = 5_000;
const RETRY_AFTER_SECONDS = 5;

export interface GoogleAnswer {
  status: number;
  body: unknown;
  /** Google's error code, such as `USER_NOT_FOUND`; else empty. */
  refusal: string;
  /** At most 300 characters for logs. */
  reason: string;
}

/** @throws GoogleUnavailable without a readable response in five seconds, and for 429 and 5xx */
export async function askGoogle(
  address: string,
  body: URLSearchParams | object,
  headers: Readonly<Record<string, string>> = {},
): Promise<GoogleAnswer> {
  const isForm = body instanceof URLSearchParams;
  try {
    const response = await fetch(address, {
      method: 'POST',
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: isForm ? headers : { 'content-type': 'application/json', ...headers },
      body: isForm ? body : JSON.stringify(body),
    });
    if (response.status >= 500 || response.status === 429) {
      await response.body?.cancel();
      throw new Error(`Google answered ${response.status}.`);
    }
    const answer: unknown = await response.json();
    return { status: response.status, body: answer, ...readRefusal(answer, response.status) };
  } catch (cause) {
    throw new GoogleUnavailable(cause);
  }
}

export class GoogleUnavailable extends Problem {
  constructor(cause: unknown) {
    super('unavailable', {
      detail: 'The sign-in service is not available at the moment.',
      retryAfterSeconds: RETRY_AFTER_SECONDS,
      cause,
    });
  }
}

const errorInfo = z.looseObject({ reason: z.string() });
const refusalAnswer = z.object({
  error: z.union([
    // OAuth's token service: `{ error: 'invalid_grant' }`.
    z.pipe(
      z.string(),
      z.transform((message) => ({ message, details: [] })),
    ),
    // All others; `details` if a key's restriction refuses (google.rpc.ErrorInfo).
    z.object({ message: z.string(), details: z._default(z.array(z.unknown()), []) }),
  ]),
});

const MAX_REASON_LENGTH = 300;

function readRefusal(body: unknown, status: number): Pick<GoogleAnswer, 'refusal' | 'reason'> {
  const parsed = refusalAnswer.safeParse(body);
  if (!parsed.success) return { refusal: '', reason: `${status}` };
  const { message, details } = parsed.data.error;
  const reasons = details.flatMap((detail) => errorInfo.safeParse(detail).data?.reason ?? []);
  return {
    // Google writes `USER_NOT_FOUND : more words`.
    refusal: message.split(' ')[0] ?? '',
    reason: [status, ...reasons, message].join(' ').slice(0, MAX_REASON_LENGTH),
  };
}

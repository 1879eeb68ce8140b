import * as z from 'zod/mini';
import { Problem } from '#src/platform/core/problem.ts';

/** Longer than Google ever takes, shorter than the patience of the person who signs in. */
const TIMEOUT_MS = 5_000;
const RETRY_AFTER_SECONDS = 5;

/** Google's response, a success or a refusal. */
export interface GoogleAnswer {
  status: number;
  /** Parsed JSON. */
  body: unknown;
  /** Google's error code, such as `USER_NOT_FOUND`; empty if there is none. */
  refusal: string;
  /** Status and error text, for logs and reports; at most 300 characters. */
  reason: string;
}

/**
 * Makes a call of Google's, within five seconds.
 * @throws GoogleUnavailable when there is no answer in time, none that can be read, or one that promises a better time
 */
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

/** Google cannot be asked: the person is neither let in nor refused. */
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
    // All others, with details if a restriction of the key refuses (google.rpc.ErrorInfo).
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
    // `USER_NOT_FOUND : more words`
    refusal: message.split(' ')[0] ?? '',
    reason: [status, ...reasons, message].join(' ').slice(0, MAX_REASON_LENGTH),
  };
}

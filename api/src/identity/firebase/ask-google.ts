import * as z from 'zod/mini';
import { Problem } from '#src/platform/core/problem.ts';

/** Somebody waits for a sign-in meanwhile: longer than Google ever takes, shorter than their patience. */
const TIMEOUT_MS = 5_000;
const RETRY_AFTER_SECONDS = 5;

/** What Google said, whether it did as it was asked or not. */
export interface GoogleAnswer {
  status: number;
  /** The parsed JSON. */
  body: unknown;
  /** Google's own word for what it refuses, such as `USER_NOT_FOUND`; empty where there is none. */
  refusal: string;
  /** The status with all that Google says of a refusal, for logs and reports; of 300 characters at most. */
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

/** Google cannot be asked: nothing is known of the person, so they are neither let in nor told that they may not. */
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
    // The token service of OAuth: `{ error: 'invalid_grant' }`.
    z.pipe(
      z.string(),
      z.transform((message) => ({ message, details: [] })),
    ),
    // All others, with details where a restriction of the key refuses (google.rpc.ErrorInfo).
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

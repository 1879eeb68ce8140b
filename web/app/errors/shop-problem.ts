import {
  type FieldError,
  type ProblemBody,
  type ProblemCode,
  problemCode,
  problems,
} from '@parts-forge/contract/problems';

/** A refusal of the shop. Screens switch on `code`, never on the text. */
export class ShopProblem extends Error {
  /** `internal` for an answer that is none of the shop's own. */
  readonly code: ProblemCode;
  readonly status: number;
  /** One sentence for people; the same as `message`. */
  readonly detail: string;
  /** The wrong fields, with `invalid` and its like. */
  readonly errors: readonly FieldError[];
  /** The whole refusal, with the present stock, price or total where a rule of state was in the way. */
  readonly body: Partial<ProblemBody>;
  /** Seconds until another try makes sense; null when the shop named none. */
  readonly retryAfterSeconds: number | null;

  constructor(status: number, body: Partial<ProblemBody>, retryAfterSeconds: number | null) {
    super(body.detail ?? body.title ?? problems.internal.title);
    this.name = 'ShopProblem';
    this.code = problemCode(body.type) ?? 'internal';
    this.status = status;
    this.detail = this.message;
    this.errors = body.errors ?? [];
    this.body = body;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** The shop could not be reached: whether a write was done is not known. */
export class OfflineError extends Error {
  constructor() {
    super('The shop cannot be reached. Check the connection and try again.');
    this.name = 'OfflineError';
  }
}

/** Nobody is signed in, or the sign-in ended and could not be renewed. */
export class SignedOutError extends Error {
  constructor() {
    super(problems['sign-in-needed'].title);
    this.name = 'SignedOutError';
  }
}

/**
 * A request whose failure to arrive has one name.
 * @throws OfflineError
 */
export async function reach(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, init);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new OfflineError();
  }
}

/**
 * The answer, if it is a success.
 * @throws ShopProblem
 */
export async function checked(response: Response): Promise<Response> {
  if (response.ok) return response;
  const body: unknown = await response.json().catch(() => null);
  throw new ShopProblem(
    response.status,
    typeof body === 'object' && body !== null ? body : {},
    parseRetryAfter(response.headers.get('retry-after')),
  );
}

/**
 * What the shop answered. Its own answers are of the shape it describes; its tests check that, not every page again.
 * @throws OfflineError when the answer was cut off or is none of the shop's: whether a write was done is not known
 */
export async function answered<Answer>(response: Response): Promise<Answer> {
  if (response.status === 204) return null as Answer;
  try {
    return (await response.json()) as Answer;
  } catch {
    throw new OfflineError();
  }
}

/** `Retry-After` in seconds; the shop never sends a date there. */
export function parseRetryAfter(header: string | null): number | null {
  return header !== null && /^\d+$/.test(header) ? Number(header) : null;
}

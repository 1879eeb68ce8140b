import { readProblemType, titles } from '@parts-forge/contract/problem-type';
import type { FieldError, ProblemBody, ProblemCode } from '@parts-forge/contract/problems';

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
  /** Names the request in the shop's log; null unless the failure is the shop's own (500 and above). */
  readonly requestId: string | null;

  /** @param body the answer's JSON; anything that is no object counts as an empty one */
  constructor(status: number, body: unknown, headers: Pick<Headers, 'get'>) {
    const problem: Partial<ProblemBody> = typeof body === 'object' && body !== null ? body : {};
    super(problem.detail ?? problem.title ?? titles.internal);
    this.name = 'ShopProblem';
    // One that a newer shop has made up is none that a screen asks for: it shows the shop's own sentence.
    this.code = (readProblemType(problem.type) ?? 'internal') as ProblemCode;
    this.status = status;
    this.detail = this.message;
    this.errors = problem.errors ?? [];
    this.body = problem;
    this.retryAfterSeconds = parseRetryAfter(headers.get('retry-after'));
    this.requestId = status >= 500 ? (problem.requestId ?? headers.get('x-request-id')) : null;
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
    super(titles['sign-in-needed']);
    this.name = 'SignedOutError';
  }
}

interface IdentityRefusal {
  /** HTTP status; null when the service was not asked. */
  status?: number | null;
  /** The service's own code, one of `identityRefusals` where a page answers it in a way of its own. */
  code?: string | null;
  /** As of `ShopProblem`. */
  retryAfterSeconds?: number | null;
  /** As of `ShopProblem`. */
  requestId?: string | null;
}

/** The identity service did not do it. `message` is its own words, for the red banner as they are. */
export class IdentityError extends Error {
  readonly status: number | null;
  readonly code: string | null;
  readonly retryAfterSeconds: number | null;
  readonly requestId: string | null;

  constructor(
    message: string,
    { status = null, code = null, retryAfterSeconds = null, requestId = null }: IdentityRefusal = {},
  ) {
    super(message);
    this.name = 'IdentityError';
    this.status = status;
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds;
    this.requestId = requestId;
  }
}

/** `Retry-After` in seconds; the shop never sends a date there. */
export function parseRetryAfter(header: string | null): number | null {
  return header !== null && /^\d+$/.test(header) ? Number(header) : null;
}

import type { FieldError, ProblemBody } from '@parts-forge/contract/calls/problem-body';
import { readProblemType, titles } from '@parts-forge/contract/calls/problem-type';
import type { ProblemCode } from '@parts-forge/contract/calls/problems';

/** A refusal of the shop. Screens switch on `code`, never on the text. */
export class ShopProblem extends Error {
  /** `internal` for an answer that is not the shop's own. */
  readonly code: ProblemCode;
  readonly status: number;
  readonly detail: string;
  readonly errors: readonly FieldError[];
  /** Contains the current stock, price or total after a conflict. */
  readonly body: Partial<ProblemBody>;
  /** Null if the shop named none. */
  readonly retryAfterSeconds: number | null;
  /** In the shop's log; null below status 500. */
  readonly requestId: string | null;

  /** @param body JSON; a non-object counts as empty */
  constructor(status: number, body: unknown, headers: Pick<Headers, 'get'>) {
    const problem: Partial<ProblemBody> = typeof body === 'object' && body !== null ? body : {};
    super(problem.detail ?? problem.title ?? titles.internal);
    this.name = 'ShopProblem';
    // A newer shop's unknown code shows its sentence.
    this.code = (readProblemType(problem.type) ?? 'internal') as ProblemCode;
    this.status = status;
    this.detail = this.message;
    this.errors = problem.errors ?? [];
    this.body = problem;
    this.retryAfterSeconds = parseRetryAfter(headers.get('retry-after'));
    this.requestId = status >= 500 ? (problem.requestId ?? headers.get('x-request-id')) : null;
  }
}

/** The outcome of a write is unknown. */
export class OfflineError extends Error {
  constructor() {
    super('The shop cannot be reached. Check the connection and try again.');
    this.name = 'OfflineError';
  }
}

export class SignedOutError extends Error {
  constructor() {
    super(titles['sign-in-needed']);
    this.name = 'SignedOutError';
  }
}

interface IdentityRefusal {
  /** Null if the service was not asked. */
  status?: number | null;
  /** `identityRefusals` lists the codes that pages handle. */
  code?: string | null;
  retryAfterSeconds?: number | null;
  requestId?: string | null;
}

/** The red banner shows `message` unchanged. */
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

/** In seconds; the shop never sends a date. */
export function parseRetryAfter(header: string | null): number | null {
  return header !== null && /^\d+$/.test(header) ? Number(header) : null;
}

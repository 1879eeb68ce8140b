import type { ProblemBody } from '@parts-forge/contract/calls/problem-body';
import { type ProblemCode, problems, problemType } from '@parts-forge/contract/calls/problems';

/** `detail` is by default the code's title. */
type Extras = Partial<Omit<ProblemBody, 'type' | 'title' | 'status' | 'requestId'>>;

export interface ProblemExtras extends ErrorOptions, Extras {
  retryAfterSeconds?: number;
  allow?: string;
}

/** One of the closed set, as RFC 9457. The log also shows its `cause`. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly extras: Omit<ProblemExtras, 'cause'>;

  constructor(code: ProblemCode, { cause, ...extras }: ProblemExtras = {}) {
    super(extras.detail ?? problems[code].title, cause === undefined ? {} : { cause });
    this.name = 'Problem';
    this.code = code;
    this.extras = extras;
  }

  get status(): number {
    return problems[this.code].status;
  }

  get body(): ProblemBody {
    const { detail, retryAfterSeconds: _, allow: __, ...rest } = this.extras;
    const { status, title } = problems[this.code];
    return { type: problemType(this.code), title, status, detail: detail ?? title, ...rest };
  }
}

/** The message is in the specification's words. */
export const invalidField = (path: string, message: string, code: ProblemCode = 'invalid') =>
  new Problem(code, { detail: message, errors: [{ path, message }] });

/** @throws Problem `invalid` with all errors, if there are any */
export function refuseInvalid(errors: { path: string; message: string }[]): void {
  const [first] = errors;
  if (first) throw new Problem('invalid', { detail: first.message, errors });
}

/** The key belongs to another request. */
export const keyReused = () => invalidField('Idempotency-Key', problems['key-reused'].title, 'key-reused');

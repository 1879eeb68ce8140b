import type * as z from 'zod/mini';
import type { ProblemCode } from './problems.ts';

/**
 * Who may make a call (contract, "Calls"). `identity` carries the identity service's token instead of the
 * shop's; `payment-provider` and `key` prove themselves in their own way.
 */
export type Caller = 'everyone' | 'signed-in' | 'user' | 'admin' | 'identity' | 'payment-provider' | 'key';

type Schema = z.ZodMiniType;

/** One call of the contract, described once for the server, the page, the tests and `/openapi.json`. */
export interface Call<
  Body extends Schema | undefined = Schema | undefined,
  Query extends Schema | undefined = Schema | undefined,
  Answer extends Schema = Schema,
  Who extends Caller = Caller,
> {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path with `:name` parameters, as Fastify and the page read it. */
  path: string;
  caller: Who;
  summary: string;
  /** What the rules are, for the reader of `/docs`. */
  description?: string;
  query?: Query;
  body?: Body;
  answer: Answer;
  /** Request headers with a meaning of their own; none is needed. */
  headers?: Record<string, { description: string; pattern: RegExp }>;
  /** Refusals beyond the ones that every call can give. */
  problems?: readonly ProblemCode[];
  /** Success without a body: 204 instead of 200. */
  empty?: boolean;
}

/** What a schema yields, or undefined where the call has none. */
export type Parsed<S> = S extends Schema ? z.output<S> : undefined;
/** What a caller passes for a schema. */
export type Given<S> = S extends Schema ? z.input<S> : undefined;

/** Keeps the exact schema types of a call; gives back what it was given. */
export const defineCall = <
  Body extends Schema | undefined = undefined,
  Query extends Schema | undefined = undefined,
  Answer extends Schema = Schema,
  Who extends Caller = Caller,
>(
  call: Call<Body, Query, Answer, Who>,
): Call<Body, Query, Answer, Who> => call;

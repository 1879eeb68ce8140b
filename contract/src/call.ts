import type * as z from 'zod/mini';
import type { Caller, Policy } from './policies.ts';
import type { ProblemCode } from './problems.ts';

type Schema = z.ZodMiniType;
type Fields = z.ZodMiniObject;

/** Sections of `/docs`. */
export const tags = {
  Products: 'Parts on offer and their stock.',
  Orders: 'Batches that customers order.',
  Payments: 'Paying for an order by card.',
  Reviews: 'What customers write.',
  Users: 'People, their roles and profiles.',
  Pictures: 'Pictures of parts.',
  Administration: 'Who did what, and how stocks moved.',
  Shop: 'What the page needs to know of the shop.',
} as const;
export type Tag = keyof typeof tags;

/**
 * Reason to drop a cached answer.
 * - `products`: any part changed, stock included.
 * - `catalogue`: a part was added, removed or renamed.
 * - `product:<id>`: this part or its stock changed.
 * - `config`: the shop's settings changed.
 */
export type CacheTag = 'products' | 'catalogue' | `product:${string}` | 'reviews' | 'config';

export interface RateLimit {
  requests: number;
  seconds: number;
}

export interface RequestHeader {
  description: string;
  pattern: RegExp;
  /** Tells people what the header must be. */
  message: string;
  /** A request without the header is refused with 428, before its body is read. */
  required?: boolean;
}

/** One call of the contract: the source for server, page, tests and `/openapi.json`. */
export interface Call<
  Params extends Fields | undefined = Fields | undefined,
  Query extends Fields | undefined = Fields | undefined,
  Body extends Schema | undefined = Schema | undefined,
  Answer extends Schema = Schema,
  Who extends Caller = Caller,
> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path with `:name` parameters, in Fastify's form. */
  path: string;
  tag: Tag;
  /** Who may call, on whose things: a line of `policies.ts`. */
  policy: Policy<Who>;
  summary: string;
  /** Rules for readers of `/docs`. */
  description?: string;
  /** Path parameters. A malformed one names nothing, so it gives 404 instead of 422. */
  params?: Params | undefined;
  query?: Query | undefined;
  /** Request headers with a meaning of their own. */
  headers?: Record<string, RequestHeader>;
  body?: Body | undefined;
  /** The body is a form with one file. */
  multipart?: { field: string; types: readonly string[]; maxBytes: number };
  answer: Answer;
  /** The answer is a `text/event-stream`; schema of each event's data, by event name. */
  events?: Record<string, Schema>;
  /** Success has no body: 204 instead of 200. */
  empty?: boolean;
  /** The answer is paged; its rows are the answer itself, or its field `data`. */
  paged?: 'rows' | 'data';
  /**
   * Marks a public read: cached, with an `ETag`. Gives the cache tags known before the answer is built.
   * A method, because a call with typed parameters must still be a `Call`.
   */
  dependsOn?(params: Parsed<Params>, query: Parsed<Query>): readonly CacheTag[];
  /**
   * Limit for each account, besides the shop's limit for each address. Without an account it replaces the
   * limit for the address.
   */
  rateLimit?: RateLimit;
  /** Refusals besides those that every call can give. */
  problems?: readonly ProblemCode[];
}

/** Output of a schema; undefined for a call without one. */
export type Parsed<S> = S extends Schema ? z.output<S> : undefined;
/** Input of a schema. */
export type Given<S> = S extends Schema ? z.input<S> : undefined;

/** A row of a paged answer. */
export type RowOf<Answer> = Answer extends readonly (infer Row)[] | { data: readonly (infer Row)[] }
  ? Row
  : never;

/**
 * Fills path parameters and appends the query; empty texts and undefined are left out.
 * @param names query parameters in their order; default: all keys of `query`
 */
export function buildAddress(
  path: string,
  params: object = {},
  query: object = {},
  names: readonly string[] = Object.keys(query),
): string {
  const values = new Map<string, unknown>(Object.entries(params));
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(values.get(name))));
  const given = query as Readonly<Record<string, unknown>>;
  const search = names
    .filter((name) => given[name] !== undefined && given[name] !== '')
    .map((name) => `${encodeURIComponent(name)}=${encodeURIComponent(String(given[name]))}`);
  return search.length > 0 ? `${filled}?${search.join('&')}` : filled;
}

/** Returns its argument; keeps the call's exact schema types. */
export const defineCall = <
  Params extends Fields | undefined = undefined,
  Query extends Fields | undefined = undefined,
  Body extends Schema | undefined = undefined,
  Answer extends Schema = Schema,
  Who extends Caller = Caller,
>(
  call: Call<Params, Query, Body, Answer, Who>,
): Call<Params, Query, Body, Answer, Who> => call;

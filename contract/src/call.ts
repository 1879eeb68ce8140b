import type * as z from 'zod/mini';
import type { Caller, Policy } from './policies.ts';
import type { ProblemCode } from './problems.ts';

type Schema = z.ZodMiniType;
type Fields = z.ZodMiniObject;

/** The chapters of `/docs`. */
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
 * What a public answer hangs on: it may be cached until one of these changes. `products` is anything of
 * any of them, stocks included, `catalogue` which there are and what they are found by, `product:<id>` one of them with its
 * stock, `config` what the shop says of itself.
 */
export type CacheTag = 'products' | 'catalogue' | `product:${string}` | 'reviews' | 'config';

export interface RateLimit {
  requests: number;
  seconds: number;
}

export interface RequestHeader {
  description: string;
  pattern: RegExp;
  /** What the header must be, for people. */
  message: string;
  /** Without it the call is refused with 428, before the body is looked at. */
  required?: boolean;
}

/** One call of the contract, described once for the server, the page, the tests and `/openapi.json`. */
export interface Call<
  Params extends Fields | undefined = Fields | undefined,
  Query extends Fields | undefined = Fields | undefined,
  Body extends Schema | undefined = Schema | undefined,
  Answer extends Schema = Schema,
  Who extends Caller = Caller,
> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path with `:name` parameters, as Fastify and the page read it. */
  path: string;
  tag: Tag;
  /** Who may make the call, on whose things: a line of `policies.ts`. */
  policy: Policy<Who>;
  summary: string;
  /** What the rules are, for the reader of `/docs`. */
  description?: string;
  /** The path's parameters. One that is not of its form names nothing, so it is 404 and not 422. */
  params?: Params | undefined;
  query?: Query | undefined;
  /** Request headers with a meaning of their own. */
  headers?: Record<string, RequestHeader>;
  body?: Body | undefined;
  /** The body is a form with one file instead of JSON. */
  multipart?: { field: string; types: readonly string[]; maxBytes: number };
  answer: Answer;
  /** The answer is a stream of server-sent events (`text/event-stream`): what each of them carries, by its name. */
  events?: Record<string, Schema>;
  /** Success without a body: 204 instead of 200. */
  empty?: boolean;
  /** A list that is answered page by page: its rows are the answer itself, or under its field `data`. */
  paged?: 'rows' | 'data';
  /**
   * A read that is the same for everyone, so that it is cached and has an `ETag`: what its answer may hang on, as far as
   * that is known before it is made. (Written
   * as a method, because a call with typed parameters must still be a `Call`.)
   */
  dependsOn?(params: Parsed<Params>, query: Parsed<Query>): readonly CacheTag[];
  /**
   * Requests of one account, beside the shop's limit on one address; where a call is made without an account, requests
   * of one address, in place of that limit.
   */
  rateLimit?: RateLimit;
  /** Refusals beyond the ones that every call can give. */
  problems?: readonly ProblemCode[];
}

/** What a schema yields, or undefined where the call has none. */
export type Parsed<S> = S extends Schema ? z.output<S> : undefined;
/** What a caller passes for a schema. */
export type Given<S> = S extends Schema ? z.input<S> : undefined;

/** A row of a paged call's answer. */
export type RowOf<Answer> = Answer extends readonly (infer Row)[] | { data: readonly (infer Row)[] }
  ? Row
  : never;

/**
 * The address of a call: its path with the parameters in their places, and what the query has, an empty text being
 * nothing.
 * @param names the query's parameters in their order; absent: all that are there
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

/** Keeps the exact schema types of a call; gives back what it was given. */
export const defineCall = <
  Params extends Fields | undefined = undefined,
  Query extends Fields | undefined = undefined,
  Body extends Schema | undefined = undefined,
  Answer extends Schema = Schema,
  Who extends Caller = Caller,
>(
  call: Call<Params, Query, Body, Answer, Who>,
): Call<Params, Query, Body, Answer, Who> => call;

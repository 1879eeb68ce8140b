import type * as z from 'zod/mini';
import type { Caller, Policy } from './policies.ts';
import type { ProblemCode } from './problems.ts';

type Schema = z.ZodMiniType;
type Fields = z.ZodMiniObject;

/** Groups the calls on the page `/docs`. */
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
 * Change that makes a cached answer stale.
 * - `products`: any part or stock.
 * - `catalogue`: a part was added, removed or renamed.
 * - `product:<id>`: this part or its stock.
 */
export type CacheTag = 'products' | 'catalogue' | `product:${string}` | 'reviews' | 'config';

export interface RateLimit {
  requests: number;
  seconds: number;
}

export interface RequestHeader {
  description: string;
  pattern: RegExp;
  message: string;
  /** Without it: 428, before the body is read. */
  required?: boolean;
}

/** Used by server, page, tests, `/openapi.json` and docs/reference. */
export interface Call<
  Params extends Fields | undefined = Fields | undefined,
  Query extends Fields | undefined = Fields | undefined,
  Body extends Schema | undefined = Schema | undefined,
  Answer extends Schema = Schema,
  Who extends Caller = Caller,
> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Writes its parameters as `:name`. */
  path: string;
  tag: Tag;
  policy: Policy<Who>;
  summary: string;
  description?: string;
  /** A malformed one gives 404, as it names nothing. */
  params?: Params | undefined;
  query?: Query | undefined;
  headers?: Record<string, RequestHeader>;
  body?: Body | undefined;
  /** A form with one file. */
  multipart?: { field: string; types: readonly string[]; maxBytes: number };
  /** The body is a file. */
  file?: { types: readonly string[]; maxBytes: number };
  answer: Answer;
  /** Server-sent events: schema of the data, by event name. */
  events?: Record<string, Schema>;
  /** The answer of a success is 204. */
  empty?: boolean;
  /** The rows are the answer itself, or its field `data`. */
  paged?: 'rows' | 'data';
  /**
   * Marks a public read, which is cached and has an `ETag`; gives the tags known beforehand.
   * A method, so that a call with typed parameters is still a `Call`.
   */
  dependsOn?(params: Parsed<Params>, query: Parsed<Query>): readonly CacheTag[];
  /** Longer than `REQUEST_TIMEOUT_MS`, for work on many things. */
  timeoutMs?: number;
  /** Per account, besides the limit per address. Without an account it replaces that limit. */
  rateLimit?: RateLimit;
  /** Besides those of every call. */
  problems?: readonly ProblemCode[];
}

export type Parsed<S> = S extends Schema ? z.output<S> : undefined;
export type Given<S> = S extends Schema ? z.input<S> : undefined;

export type RowOf<Answer> = Answer extends readonly (infer Row)[] | { data: readonly (infer Row)[] }
  ? Row
  : never;

/**
 * @param query empty texts and undefined are left out
 * @param names order of the query's parameters; default: all keys
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

/** Keeps the call's exact schema types. */
export const defineCall = <
  Params extends Fields | undefined = undefined,
  Query extends Fields | undefined = undefined,
  Body extends Schema | undefined = undefined,
  Answer extends Schema = Schema,
  Who extends Caller = Caller,
>(
  call: Call<Params, Query, Body, Answer, Who>,
): Call<Params, Query, Body, Answer, Who> => call;

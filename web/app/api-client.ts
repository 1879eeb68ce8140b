import type { Call, Caller, Given, Parsed } from '@parts-forge/contract/call';
import type * as z from 'zod/mini';
import * as session from '#app/identity/session.ts';
import { answered, checked, reach, SignedOutError } from './shop-problem.ts';

type Schema = z.ZodMiniType;
type BodyOf<Body> = Body extends Schema ? { body: Given<Body> } : { body?: never };
type QueryOf<Query> = Query extends Schema ? { query?: Given<Query> } : { query?: never };

/** What goes with a call: typed by its description in the contract. */
export type CallOptions<Body, Query> = BodyOf<Body> &
  QueryOf<Query> & {
    /** Values of the path's `:names`, as they are; they are encoded here. */
    params?: Readonly<Record<string, string>>;
    headers?: Readonly<Record<string, string>>;
    signal?: AbortSignal;
    /**
     * What happens when the sign-in has ended and cannot be renewed: `leave` (default) lets the guard lead to
     * /login, `stay` keeps the page with what was typed; the call throws `SignedOutError` in both cases.
     */
    whenSignedOut?: 'leave' | 'stay';
  };

/** One page of a list. */
export interface AnswerPage<Answer> {
  answer: Answer;
  /** The cursor of the next page, for `after`; null on the last one. */
  next: string | null;
  /** How many match in all, as the shop writes it: `36`, or `10000+`. */
  total: string;
}

/**
 * Makes a call of the contract. An access token that has run out is renewed once, silently, and the call
 * repeated; with an `Idempotency-Key` or for reads this is harmless, as a 401 has done nothing.
 * @throws ShopProblem for every refusal
 * @throws OfflineError when the shop could not be reached
 * @throws SignedOutError when the call needs a sign-in and there is none any more
 */
export async function callShop<
  Body extends Schema | undefined,
  Query extends Schema | undefined,
  Answer extends Schema,
  Who extends Caller,
>(call: Call<Body, Query, Answer, Who>, options: CallOptions<Body, Query>): Promise<Parsed<Answer>> {
  return answered(await respond(call, options));
}

/** As `callShop`, for a list: gives the cursor of the next page and the number of matches too. */
export async function callPage<
  Body extends Schema | undefined,
  Query extends Schema | undefined,
  Answer extends Schema,
  Who extends Caller,
>(
  call: Call<Body, Query, Answer, Who>,
  options: CallOptions<Body, Query>,
): Promise<AnswerPage<Parsed<Answer>>> {
  const response = await respond(call, options);
  const next = /<([^>]+)>;\s*rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
  return {
    answer: await answered<Parsed<Answer>>(response),
    next: next ? new URL(next, location.origin).searchParams.get('after') : null,
    total: response.headers.get('x-total-count') ?? '0',
  };
}

/** What both variants need of a call, whatever its schemas. */
interface PlainOptions {
  params?: Readonly<Record<string, string>>;
  query?: unknown;
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
  signal?: AbortSignal;
  whenSignedOut?: 'leave' | 'stay';
}
type PlainCall = Pick<Call, 'method' | 'path' | 'caller'>;

async function respond(call: PlainCall, options: PlainOptions): Promise<Response> {
  if (!needsToken(call.caller)) return checked(await send(call, options, null));
  try {
    const token = session.accessToken();
    const response = await send(call, options, token);
    if (response.status !== 401) return await checked(response);
    const repeated = await send(call, options, await session.renew(token));
    if (repeated.status === 401) throw new SignedOutError();
    return await checked(repeated);
  } catch (error) {
    if (error instanceof SignedOutError) session.end(options.whenSignedOut ?? 'leave');
    throw error;
  }
}

function needsToken(caller: Caller): boolean {
  return caller === 'signed-in' || caller === 'user' || caller === 'admin';
}

function send(call: PlainCall, options: PlainOptions, token: string | null): Promise<Response> {
  const headers = new Headers(options.headers);
  headers.set('accept', 'application/json');
  if (token !== null) headers.set('authorization', `Bearer ${token}`);
  if (options.body !== undefined) headers.set('content-type', 'application/json');
  return reach(addressOf(call.path, options), {
    method: call.method,
    headers,
    ...(options.body !== undefined && { body: JSON.stringify(options.body) }),
    ...(options.signal && { signal: options.signal }),
  });
}

function addressOf(path: string, { params = {}, query }: PlainOptions): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined) search.set(name, String(value));
  }
  return search.size > 0 ? `${filled}?${search}` : filled;
}

import type { Call, Given, Parsed } from '@parts-forge/contract/call';
import { needsAccessToken } from '@parts-forge/contract/policies';
import type * as z from 'zod/mini';
import { answered, checked, reach, SignedOutError } from './errors/shop-problem.ts';
import * as session from './identity/session.ts';

type Schema = z.ZodMiniType;
type ParamsOf<Params> = Params extends Schema ? { params: Given<Params> } : { params?: never };
type QueryOf<Query> = Query extends Schema ? { query?: Given<Query> } : { query?: never };
type BodyOf<Body> = Body extends Schema ? { body: Given<Body> } : { body?: never };

/** What goes with a call: typed by its description in the contract. Path parameters are encoded here. */
export type CallOptions<C extends Call> = ParamsOf<C['params']> &
  QueryOf<C['query']> &
  BodyOf<C['body']> & {
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
export async function callShop<C extends Call>(
  call: C,
  options: CallOptions<C>,
): Promise<Parsed<C['answer']>> {
  return answered(await respond(call, options));
}

/** As `callShop`, for a list: gives the cursor of the next page and the number of matches too. */
export async function callPage<C extends Call>(
  call: C,
  options: CallOptions<C>,
): Promise<AnswerPage<Parsed<C['answer']>>> {
  const response = await respond(call, options);
  const next = /<([^>]+)>;\s*rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
  return {
    answer: await answered<Parsed<C['answer']>>(response),
    next: next ? new URL(next, location.origin).searchParams.get('after') : null,
    total: response.headers.get('x-total-count') ?? '0',
  };
}

/** What both variants need of a call, whatever its schemas. */
interface PlainOptions {
  params?: unknown;
  query?: unknown;
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
  signal?: AbortSignal;
  whenSignedOut?: 'leave' | 'stay';
}
type PlainCall = Pick<Call, 'method' | 'path' | 'policy'>;

async function respond(call: PlainCall, options: PlainOptions): Promise<Response> {
  if (!needsAccessToken(call.policy.who)) return checked(await send(call, options, null));
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

function addressOf(path: string, { params, query }: PlainOptions): string {
  const values = new Map(Object.entries(params ?? {}));
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(values.get(name))));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined) search.set(name, String(value));
  }
  return search.size > 0 ? `${filled}?${search}` : filled;
}

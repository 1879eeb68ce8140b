import {
  buildAddress,
  type Call,
  type Given,
  type Parsed,
  type RowOf,
} from '@parts-forge/contract/calls/call';
import { needsAccessToken } from '@parts-forge/contract/calls/policies';
import type * as z from 'zod/mini';
import { SignedOutError } from '#app/http/errors.ts';
import { expectSuccess, readAnswer, sendRequest } from '#app/http/http.ts';
import { session } from '#app/session/session.ts';
import { type ListPage, readListPage } from './list-page.ts';

type Schema = z.ZodMiniType;
type ParamsOf<Params> = Params extends Schema ? { params: Given<Params> } : { params?: never };
type QueryOf<Query> = Query extends Schema ? { query?: Given<Query> } : { query?: never };
type BodyOf<Body> = Body extends Schema ? { body: Given<Body> } : { body?: never };

interface CommonOptions {
  headers?: Readonly<Record<string, string>>;
  signal?: AbortSignal;
  /** For a call that takes one. */
  file?: Blob;
  /** `leave` (default) redirects to /login, `stay` keeps the page. */
  whenSignedOut?: 'leave' | 'stay';
}

type CallOptions<C extends Call> = ParamsOf<C['params']> &
  QueryOf<C['query']> &
  BodyOf<C['body']> &
  CommonOptions;

/**
 * A 401 has done nothing, so it renews an expired access token and retries once.
 * @throws ShopProblem, OfflineError, SignedOutError
 */
export async function callShop<C extends Call>(
  call: C,
  options: CallOptions<C>,
): Promise<Parsed<C['answer']>> {
  return readAnswer(await expectSuccess(await respond(call, options)));
}

type OtherFields<Answer> = Answer extends { data: unknown } ? Omit<Answer, 'data'> : unknown;

export async function callList<C extends Call>(
  call: C,
  options: CallOptions<C>,
): Promise<ListPage<RowOf<Parsed<C['answer']>>> & OtherFields<Parsed<C['answer']>>> {
  return readListPage(await respond(call, options), call.paged === 'data' ? 'data' : undefined);
}

interface PlainOptions extends CommonOptions {
  params?: object | undefined;
  query?: object | undefined;
  body?: unknown;
}
type PlainCall = Pick<Call, 'method' | 'path' | 'policy'>;

async function respond(call: PlainCall, options: PlainOptions): Promise<Response> {
  if (!needsAccessToken(call.policy.who)) return send(call, options, null);
  try {
    const token = session.requireAccessToken();
    const response = await send(call, options, token);
    if (response.status !== 401) return response;
    const repeated = await send(call, options, await session.renewAccessToken(token));
    if (repeated.status === 401) throw new SignedOutError();
    return repeated;
  } catch (error) {
    if (error instanceof SignedOutError) session.expire(options.whenSignedOut ?? 'leave');
    throw error;
  }
}

function send(call: PlainCall, options: PlainOptions, token: string | null): Promise<Response> {
  const headers = new Headers(options.headers);
  headers.set('accept', 'application/json');
  if (token !== null) headers.set('authorization', `Bearer ${token}`);
  if (options.body !== undefined) headers.set('content-type', 'application/json');
  if (options.file) headers.set('content-type', options.file.type);
  return sendRequest(buildAddress(call.path, options.params, options.query), {
    method: call.method,
    headers,
    ...(options.body !== undefined && { body: JSON.stringify(options.body) }),
    ...(options.file && { body: options.file }),
    ...(options.signal && { signal: options.signal }),
  });
}

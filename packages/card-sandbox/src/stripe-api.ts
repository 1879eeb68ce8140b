import { timingSafeEqual } from 'node:crypto';
import { ApiError, invalidRequest } from './api-error.ts';
import { type Dependencies, inTransaction, withoutTransaction } from './dependencies.ts';
import { parseForm } from './form-encoding.ts';
import { type ApiResponse, findResponseOrLockKey, hashRequest, saveResponse } from './idempotency.ts';
import { findObject, listObjects, type ObjectFilter } from './object-store.ts';
import { cancelIntent, createIntent, retrieveIntent } from './payment-intents.ts';
import { createRefund } from './refunds.ts';
import type { RequestContext } from './request-context.ts';
import { API_VERSION, generateId } from './stripe-objects.ts';

/** No port needs guarding. */
export function createStripeApi(dependencies: Dependencies & { secretKey: string }): typeof fetch {
  const { control, wakeDeliveries } = dependencies;
  return async (input, init) => {
    const request = new Request(input, init);
    request.signal.throwIfAborted();
    const fault = await control?.takeFault(`${request.method} ${new URL(request.url).pathname}`);
    if (fault === 'timeout-before') throw createTimeout();
    if (fault === '429') return toHttpResponse(toErrorResponse(lockTimeout));
    const response = await handleRequest(dependencies, request, fault === '500');
    // Reads emit no events.
    if (request.method === 'POST') wakeDeliveries();
    if (fault === 'timeout-after') throw createTimeout();
    return toHttpResponse(response);
  };
}

/** @param breaksDown injects a stored 500 without effect */
async function handleRequest(
  dependencies: Dependencies & { secretKey: string },
  request: Request,
  breaksDown: boolean,
): Promise<ApiResponse> {
  const { method } = request;
  const { pathname, searchParams } = new URL(request.url);
  const body = method === 'POST' ? await request.text() : '';
  const idempotencyKey = method === 'POST' ? request.headers.get('idempotency-key') : null;
  const requestHash = hashRequest(method, pathname, body);

  const run = method === 'POST' ? inTransaction : withoutTransaction;
  return run(dependencies, async (context) => {
    try {
      checkSecretKey(request, dependencies.secretKey);
      const earlier =
        idempotencyKey && (await findResponseOrLockKey(context.tx, idempotencyKey, requestHash));
      if (earlier) return earlier;
    } catch (error) {
      return toErrorResponse(error);
    }
    const response = breaksDown
      ? toErrorResponse(internalError)
      : await callOperation(dependencies, context, method, pathname, body, searchParams).then(
          (object): ApiResponse => ({ status: 200, body: JSON.stringify(object) }),
          toErrorResponse,
        );
    if (idempotencyKey) await saveResponse(context.tx, idempotencyKey, requestHash, response, context.now);
    return response;
  });
}

const pathPattern = /^\/v1\/(payment_intents|charges|refunds|disputes|events)(?:\/([\w-]+))?(\/cancel)?$/;

/** @throws ApiError */
async function callOperation(
  { money }: Dependencies,
  context: RequestContext,
  method: string,
  path: string,
  body: string,
  query: URLSearchParams,
): Promise<object> {
  const { tx } = context;
  const form = parseForm(body);
  const [, resource = '', id = '', action = ''] = pathPattern.exec(path) ?? [];
  switch (`${method} ${resource}${id && '/id'}${action}`) {
    case 'POST payment_intents':
      return createIntent(context, form, money);
    case 'GET payment_intents/id':
      return retrieveIntent(context, id, readExpand(query));
    case 'POST payment_intents/id/cancel':
      return cancelIntent(context, id);
    case 'POST refunds':
      return createRefund(context, form);
    case 'GET charges':
      return listPage(tx, 'charge', query);
    case 'GET refunds':
      return expandCharges(context, query, await listPage(tx, 'refund', query));
    case 'GET disputes':
      return expandCharges(context, query, await listPage(tx, 'dispute', query));
    case 'GET events':
      return listPage(tx, 'event', query);
    default:
      throw invalidRequest(`Unrecognized request URL (${method}: ${path}).`, {}, 404);
  }
}

/** `expand[0]=` or `expand[]=` */
const readExpand = (query: URLSearchParams): string[] =>
  [...query].filter(([name]) => /^expand\[\d*\]$/.test(name)).map(([, value]) => value);

/** Expands each charge of a page, as `expand[0]=data.charge` asks. */
async function expandCharges<T extends { charge: unknown }>(
  { tx }: RequestContext,
  query: URLSearchParams,
  list: { data: readonly T[] },
) {
  if (!readExpand(query).includes('data.charge')) return list;
  const data = list.data.map(async (item) => ({
    ...item,
    charge: await findObject(tx, 'charge', String(item.charge)),
  }));
  return { ...list, data: await Promise.all(data) };
}

function readFilter(query: URLSearchParams): ObjectFilter {
  const readTime = (name: string) => {
    const seconds = query.get(name);
    return seconds === null ? undefined : new Date(Number(seconds) * 1000);
  };
  return {
    paymentIntent: query.get('payment_intent') ?? undefined,
    types: [...query].filter(([name]) => /^types\[\d*\]$/.test(name)).map(([, value]) => value),
    after: query.get('starting_after') ?? undefined,
    since: readTime('created[gte]'),
    before: readTime('created[lt]'),
  };
}

/**
 * Stripe's paging: `limit` from 1 to 100, default 10; `starting_after` is the previous page's last id.
 * @throws ApiError 400 for another limit or an unknown id
 */
async function listPage<K extends 'charge' | 'refund' | 'dispute' | 'event'>(
  tx: RequestContext['tx'],
  kind: K,
  query: URLSearchParams,
) {
  const limit = Number(query.get('limit') ?? 10);
  if (!Number.isInteger(limit) || limit < 1 || limit > 100) {
    throw invalidRequest('This value must be between 1 and 100 (inclusive).', { param: 'limit' });
  }
  const filter = readFilter(query);
  if (filter.after !== undefined && !(await findObject(tx, kind, filter.after))) {
    throw invalidRequest(`No such object: '${filter.after}'`, { param: 'starting_after' });
  }
  // One more shows whether there are more.
  const found = await listObjects(tx, kind, { ...filter, limit: limit + 1 });
  const data = found.slice(0, limit);
  return { object: 'list', url: `/v1/${kind}s`, has_more: found.length > limit, data };
}

/** @throws ApiError 401 for any other key */
function checkSecretKey(request: Request, secretKey: string): void {
  const given = Buffer.from(request.headers.get('authorization')?.replace(/^Bearer /, '') ?? '');
  const expected = Buffer.from(secretKey);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
    throw invalidRequest('Invalid API Key provided.', {}, 401);
  }
}

const internalError = new ApiError(500, {
  type: 'api_error',
  message: 'An unknown error occurred.',
});
const lockTimeout = new ApiError(429, {
  type: 'invalid_request_error',
  code: 'lock_timeout',
  message: 'This object cannot be accessed right now because another API request is currently accessing it.',
});

/** @throws other errors: a bug, or an unreachable database */
function toErrorResponse(error: unknown): ApiResponse {
  if (!(error instanceof ApiError)) throw error;
  return { status: error.status, body: JSON.stringify({ error: error.details }) };
}

const toHttpResponse = ({ status, body, isReplay }: ApiResponse): Response =>
  new Response(body, {
    status,
    headers: {
      'content-type': 'application/json',
      'request-id': generateId('req'),
      'stripe-version': API_VERSION,
      ...(isReplay && { 'idempotent-replayed': 'true' }),
    },
  });

/** The SDK's for a timeout. */
const createTimeout = () => Object.assign(new TypeError('ETIMEDOUT'), { code: 'ETIMEDOUT' });

import { timingSafeEqual } from 'node:crypto';
import { invalidRequest, missing, SandboxRefusal } from './api-error.ts';
import type { Clock } from './clock.ts';
import { confirmIntent } from './confirm-intent.ts';
import type { Control } from './control.ts';
import type { Database } from './database.ts';
import { entriesOf, type Form, readForm, textOf } from './form-encoding.ts';
import { type Answer, findAnswer, hashOf, keepAnswer } from './idempotency.ts';
import { findObject, listObjects } from './object-store.ts';
import { cancelIntent, createIntent, expandCharge, readIntent, updateIntent } from './payment-intents.ts';
import { refundIntent } from './refunds.ts';
import type { Step } from './request-context.ts';
import { API_VERSION, newId } from './stripe-objects.ts';

export interface ServerFaceNeeds {
  db: Database;
  clock: Clock;
  secretKey: string;
  /** Null unless the control endpoint is open. */
  control: Control | null;
  /** Called after each request that may have made events. */
  onChange(): void;
}

/**
 * Stripe's API as far as the shop uses it, as a function in place of `fetch`: the SDK in front of it is the real
 * one, with its retries, errors and headers, and there is no port to guard.
 */
export function createServerFace(needs: ServerFaceNeeds): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    request.signal.throwIfAborted();
    const fault = await needs.control?.takeFault(`${request.method} ${new URL(request.url).pathname}`);
    if (fault === 'timeout-before') throw timeout();
    if (fault === '429') return respond(errorAnswer(lockTimeout));
    const answer = await serve(needs, request, fault === '500');
    needs.onChange();
    if (fault === 'timeout-after') throw timeout();
    return respond(answer);
  };
}

async function serve(needs: ServerFaceNeeds, request: Request, broken: boolean): Promise<Answer> {
  const { db, clock } = needs;
  const { pathname, searchParams } = new URL(request.url);
  const key = request.headers.get('idempotency-key');
  const body = request.method === 'POST' ? await request.text() : '';
  const requestHash = hashOf(request.method, pathname, body);
  const now = clock.now();
  const processing = (await needs.control?.isProcessing()) ?? false;

  return db.transaction(async (tx) => {
    try {
      checkKey(request, needs.secretKey);
      const earlier = key && request.method === 'POST' ? await findAnswer(tx, key, requestHash) : null;
      if (earlier) return earlier;
    } catch (error) {
      return answerOf(error);
    }
    const answer = broken
      ? errorAnswer(brokenDown)
      : await route({ tx, now, processing }, request.method, pathname, readForm(body), searchParams).then(
          (object): Answer => ({ status: 200, body: JSON.stringify(object) }),
          answerOf,
        );
    if (key && request.method === 'POST') await keepAnswer(tx, key, requestHash, answer, now);
    return answer;
  });
}

const resources = /^\/v1\/(payment_intents|charges|refunds|events)(?:\/([\w-]+))?(?:\/(confirm|cancel))?$/;

async function route(
  step: Step,
  method: string,
  path: string,
  form: Form,
  query: URLSearchParams,
): Promise<unknown> {
  const [, resource = '', id, action] = resources.exec(path) ?? [];
  const expand = method === 'GET' ? expandOf(query) : Object.values(entriesOf(form, 'expand'));
  switch (`${method} ${resource}${id ? '/id' : ''}${action ? `/${action}` : ''}`) {
    case 'POST payment_intents':
      return createIntent(step, form);
    case 'GET payment_intents/id':
      return readIntent(step, id ?? '', expand);
    case 'POST payment_intents/id':
      return updateIntent(step, id ?? '', form);
    case 'POST payment_intents/id/confirm':
      return expandCharge(
        step,
        await confirmIntent(step, id ?? '', textOf(form, 'payment_method') ?? ''),
        expand,
      );
    case 'POST payment_intents/id/cancel':
      return expandCharge(step, await cancelIntent(step, id ?? ''), expand);
    case 'POST refunds':
      return refundIntent(step, form);
    case 'GET refunds':
      return listOf('/v1/refunds', await listObjects(step.tx, 'refund'));
    case 'GET events':
      return listOf('/v1/events', await listObjects(step.tx, 'event'));
    case 'GET events/id':
      return found('event', id ?? '', await findObject(step.tx, 'event', id ?? ''));
    case 'GET charges/id':
      return found('charge', id ?? '', await findObject(step.tx, 'charge', id ?? ''));
    case 'GET refunds/id':
      return found('refund', id ?? '', await findObject(step.tx, 'refund', id ?? ''));
    default:
      throw invalidRequest(`Unrecognized request URL (${method}: ${path}).`, {}, 404);
  }
}

/** `expand[0]=latest_charge` of an address; also `expand[]=`. */
const expandOf = (query: URLSearchParams) =>
  [...query].filter(([name]) => /^expand\[\d*\]$/.test(name)).map(([, value]) => value);

const listOf = (url: string, data: unknown[]) => ({ object: 'list', url, has_more: false, data });

function found<T>(what: string, id: string, object: T | null): T {
  if (object === null) throw missing(what, id);
  return object;
}

function checkKey(request: Request, secretKey: string): void {
  const given = Buffer.from(request.headers.get('authorization')?.replace(/^Bearer /, '') ?? '');
  const expected = Buffer.from(secretKey);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
    throw invalidRequest('Invalid API Key provided.', {}, 401);
  }
}

const brokenDown = new SandboxRefusal(500, {
  type: 'api_error',
  message: 'An unknown error occurred.',
});
const lockTimeout = new SandboxRefusal(429, {
  type: 'invalid_request_error',
  code: 'lock_timeout',
  message: 'This object cannot be accessed right now because another API request is currently accessing it.',
});

function answerOf(error: unknown): Answer {
  if (error instanceof SandboxRefusal) return errorAnswer(error);
  throw error;
}

export const errorAnswer = ({ status, error }: SandboxRefusal): Answer => ({
  status,
  body: JSON.stringify({ error }),
});

function respond({ status, body, replayed }: Answer): Response {
  return new Response(body, {
    status,
    headers: {
      'content-type': 'application/json',
      'request-id': newId('req'),
      'stripe-version': API_VERSION,
      ...(replayed && { 'idempotent-replayed': 'true' }),
    },
  });
}

/** What the SDK sees when nobody answers in time. */
const timeout = () => Object.assign(new TypeError('ETIMEDOUT'), { code: 'ETIMEDOUT' });

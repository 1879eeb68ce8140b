import { UNSAFE_ErrorResponseImpl as ErrorResponse } from 'react-router';
import { expect, test } from 'vitest';
import { IdentityError, OfflineError, ShopProblem } from '#app/http/errors.ts';
import { describeError, describeWithWait, getRequestId, getRetryAfterSeconds } from './describe-error.ts';

const problem = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new ShopProblem(status, body, new Headers(headers));

test("a failure has the request's id from body or header", () => {
  expect(getRequestId(problem(500, { requestId: 'a' }, { 'x-request-id': 'b' }))).toBe('a');
  expect(getRequestId(problem(503, null, { 'x-request-id': 'b' }))).toBe('b');
  expect(getRequestId(new IdentityError('No', { requestId: 'c' }))).toBe('c');
});

test('refusals and lost connections have no request id', () => {
  expect(getRequestId(problem(422, { requestId: 'a' }, { 'x-request-id': 'b' }))).toBeNull();
  expect(getRequestId(new OfflineError())).toBeNull();
  expect(getRequestId(new Error('a bug of the page'))).toBeNull();
});

test('router errors carry the response body as received', () => {
  expect(getRequestId(new ErrorResponse(500, '', '{"requestId":"a"}'))).toBe('a');
  expect(getRequestId(new ErrorResponse(500, '', { requestId: 'a' }))).toBe('a');
  expect(getRequestId(new ErrorResponse(502, '', '<html>'))).toBeNull();
});

test('describeError returns one sentence for people', () => {
  expect(describeError(problem(500, '<html>'))).toBe('Something went wrong on our side.');
  expect(describeError(problem(422, { type: 'urn:parts-forge:problem:invalid', detail: 'Too long' }))).toBe(
    'Too long',
  );
  expect(describeError(new OfflineError())).toBe('The server did not answer.');
});

test('the wait is a number of seconds', () => {
  expect(getRetryAfterSeconds(problem(503, {}, { 'retry-after': '5' }))).toBe(5);
  expect(getRetryAfterSeconds(problem(503, {}, { 'retry-after': 'soon' }))).toBeNull();
  expect(getRetryAfterSeconds(problem(503, {}))).toBeNull();
  expect(getRetryAfterSeconds(new IdentityError('Too often', { retryAfterSeconds: 4 }))).toBe(4);
});

test('a refusal says when to try again', () => {
  const tooMany = (wait: string) =>
    problem(429, { type: 'urn:parts-forge:problem:too-many' }, { 'retry-after': wait });
  expect(describeWithWait(tooMany('40'))).toBe(
    'Those were too many attempts in a short time. Try again in 40 seconds.',
  );
  expect(describeWithWait(tooMany('2401'))).toMatch(/Try again in 41 minutes\.$/);
  expect(describeWithWait(new OfflineError())).toBe('The server did not answer.');
});

import { describe, expect, test } from 'vitest';
import { invalidField, Problem } from './problem.ts';

describe('a refusal', () => {
  test('has the status and title of its code', () => {
    const problem = new Problem('not-found');
    expect([problem.code, problem.status, problem.name]).toEqual(['not-found', 404, 'Problem']);
    expect(problem.message).toBe('There is nothing here');
    expect(problem.body).toEqual({
      type: 'urn:parts-forge:problem:not-found',
      title: 'There is nothing here',
      status: 404,
      detail: 'There is nothing here',
    });
  });

  test('says more where it was told more', () => {
    const problem = new Problem('above-stock', { detail: 'maximum order range 900', quantity: 900 });
    expect(problem.message).toBe('maximum order range 900');
    expect(problem.body).toEqual({
      type: 'urn:parts-forge:problem:above-stock',
      title: 'There are not that many on hand',
      status: 409,
      detail: 'maximum order range 900',
      quantity: 900,
    });
  });

  test('keeps what belongs into headers out of the body', () => {
    const { body, extras } = new Problem('too-many', { retryAfterSeconds: 3, allow: 'GET' });
    expect(Object.keys(body)).toEqual(['type', 'title', 'status', 'detail']);
    expect(extras).toEqual({ retryAfterSeconds: 3, allow: 'GET' });
  });

  test('carries its cause for the log and not for the answer', () => {
    const cause = new Error('secret');
    const problem = new Problem('internal', { cause });
    expect(problem.cause).toBe(cause);
    expect(JSON.stringify([problem.body, problem.extras])).not.toContain('cause');
    expect('cause' in new Problem('internal')).toBe(false);
    expect(new Problem('internal', { cause: null }).cause).toBeNull();
  });
});

describe('the refusal of one field', () => {
  test('names it in the words of the specification', () => {
    expect(invalidField('order', 'Must be the order of the path').body).toEqual({
      type: 'urn:parts-forge:problem:invalid',
      title: 'Something in the request is not valid',
      status: 422,
      detail: 'Must be the order of the path',
      errors: [{ path: 'order', message: 'Must be the order of the path' }],
    });
  });

  test('may have another code', () => {
    expect(invalidField('price', 'Too much', 'amount-too-large').body).toMatchObject({
      type: 'urn:parts-forge:problem:amount-too-large',
      errors: [{ path: 'price', message: 'Too much' }],
    });
  });
});

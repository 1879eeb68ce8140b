import { describe, expect, test } from 'vitest';
import { invalidField, Problem } from './problem.ts';

describe('Problem', () => {
  test('a refusal has the status and title of its code', () => {
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

  test('a refusal adds its details to the body', () => {
    const problem = new Problem('above-stock', { detail: 'maximum order range 900', quantity: 900 });
    expect(problem.message).toBe('maximum order range 900');
    expect(problem.body).toEqual({
      type: 'urn:parts-forge:problem:above-stock',
      title: 'There are fewer pieces in stock',
      status: 409,
      detail: 'maximum order range 900',
      quantity: 900,
    });
  });

  test('a refusal keeps header values out of the body', () => {
    const { body, extras } = new Problem('too-many', { retryAfterSeconds: 3, allow: 'GET' });
    expect(Object.keys(body)).toEqual(['type', 'title', 'status', 'detail']);
    expect(extras).toEqual({ retryAfterSeconds: 3, allow: 'GET' });
  });

  test('a refusal keeps its cause out of the body', () => {
    const cause = new Error('secret');
    const problem = new Problem('internal', { cause });
    expect(problem.cause).toBe(cause);
    expect(JSON.stringify([problem.body, problem.extras])).not.toContain('cause');
    expect('cause' in new Problem('internal')).toBe(false);
    expect(new Problem('internal', { cause: null }).cause).toBeNull();
  });
});

describe('invalidField', () => {
  test("a field's refusal names the field in the specification's words", () => {
    expect(invalidField('order', 'Must be the order of the path').body).toEqual({
      type: 'urn:parts-forge:problem:invalid',
      title: 'The request is not valid',
      status: 422,
      detail: 'Must be the order of the path',
      errors: [{ path: 'order', message: 'Must be the order of the path' }],
    });
  });

  test("a field's refusal may have another code", () => {
    expect(invalidField('price', 'Too much', 'amount-too-large').body).toMatchObject({
      type: 'urn:parts-forge:problem:amount-too-large',
      errors: [{ path: 'price', message: 'Too much' }],
    });
  });
});

import { describe, expect, test } from 'vitest';
import { type ProblemCode, problemCode, problems, problemType } from './problems.ts';

const codes = Object.keys(problems) as ProblemCode[];

describe('a refusal', () => {
  test('has its code in its type', () => {
    expect(problemType('above-stock')).toBe('urn:parts-forge:problem:above-stock');
    expect(codes.map((code) => problemCode(problemType(code)))).toEqual(codes);
  });

  test.each([
    'about:blank',
    'urn:parts-forge:problem:',
    'urn:parts-forge:problem:unheard-of',
    'urn:parts-forge:problem:internal:',
    'urn:parts-forge:problex:internal',
    'URN:parts-forge:problem:internal',
    '',
    undefined,
    null,
    7,
    ['urn:parts-forge:problem:internal'],
  ])("has no code when it is not the shop's: %o", (type) => {
    expect(problemCode(type)).toBeNull();
  });
});

test('refusals have a title, some of them fixed by the specification', () => {
  expect(codes.filter((code) => problems[code].title.trim() === '')).toEqual([]);
  expect(problems['admin-needed'].title).toBe('Need Admin to access the page');
  expect(problems['already-paid'].title).toBe('Product Payment Already done');
  expect(problems['amount-too-large'].title).toBe('Amount must be no more than $999,999.99');
});

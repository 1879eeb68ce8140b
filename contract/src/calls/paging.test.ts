import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { refusals, takes, textsAround } from '../../test/schema.ts';
import { pagingFields, searchField } from './paging.ts';

const query = z.object({ ...pagingFields, q: searchField });

describe('the limit of a page', () => {
  test.each([
    ['1', 1],
    ['3', 3],
    ['24', 24],
    ['99', 99],
    ['100', 100],
  ])('reads ?limit=%s as %i', (limit, rows) => {
    expect(query.parse({ limit })).toEqual({ limit: rows });
  });

  test.each([
    '0',
    '101',
    '999',
    '1000',
    '-1',
    '1e2',
    '+5',
    '3.0',
    ' 3',
    '3 ',
    '03',
    '',
    'ten',
    ['3', '4'],
    3,
  ])('refuses ?limit=%j', (limit) => {
    expect(takes(query, { limit })).toBe(false);
  });

  test('names its range in a refusal', () => {
    for (const limit of ['0', '101', '999', 'ten', '1x', 'x1', '1\n']) {
      expect(refusals(query, { limit })).toEqual({ limit: 'Must be a whole number from 1 to 100' });
    }
  });

  test('is described as a whole number from 1 to 100', () => {
    const { properties } = z.toJSONSchema(query, { io: 'input' });
    const limit = properties?.limit as Record<string, unknown>;
    expect(limit).toMatchObject({ type: 'integer', minimum: 1, maximum: 100 });
    expect(limit.pattern).toBeUndefined();
  });
});

test('a cursor has at most 800 characters', () => {
  const [, longest, tooLong] = textsAround(800);
  expect([...['x', longest].map((after) => takes(query, { after }))]).toEqual([true, true]);
  expect(['', tooLong].map((after) => takes(query, { after }))).toEqual([false, false]);
});

describe('a search', () => {
  test('has at most 120 characters', () => {
    const [, longest, tooLong] = textsAround(120);
    expect(query.parse({ q: longest })).toEqual({ q: longest });
    expect(refusals(query, { q: tooLong })).toEqual({ q: 'Must be no more than 120 characters' });
  });

  test('is one visible line, and may be empty', () => {
    expect(query.parse({ q: '  oled\n\u0000display ' })).toEqual({ q: 'oled display' });
    expect(query.parse({ q: '' })).toEqual({ q: '' });
  });
});

test('every parameter of a page is optional', () => {
  expect(query.parse({})).toEqual({});
});

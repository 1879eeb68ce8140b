import { describe, expect, test } from 'vitest';
import { readCursor } from '#src/platform/database/cursor.ts';
import { pageHeaders } from './paging.ts';

const id = '019a0b1c-2d3e-7f45-8a67-89abcdef0123';

describe('pageHeaders', () => {
  test('the last page has no next link', () => {
    expect(pageHeaders('/product?limit=3', { rows: [], next: null, total: 0 })).toEqual({
      'x-total-count': '0',
    });
  });

  test('the next link is relative and keeps the search and limit', () => {
    const headers = pageHeaders('/product?limit=3&q=a+%26+b', { rows: [1], next: ['x', id], total: 7 });
    expect(headers['x-total-count']).toBe('7');
    const [, address = ''] = /^<(\/product\?[^>]+)>; rel="next"$/.exec(headers.link ?? '') ?? [];
    const query = new URLSearchParams(address.split('?')[1]);
    expect(Object.fromEntries(query)).toEqual({ limit: '3', q: 'a & b', after: expect.any(String) });
    expect(readCursor(query.get('after') ?? '', ['text', 'id'])).toEqual(['x', id]);
  });

  test('a page without a query has a next link', () => {
    expect(pageHeaders('/review', { rows: [1], next: [id], total: 1 }).link).toMatch(
      /^<\/review\?after=[\w-]+>; rel="next"$/,
    );
  });

  test('the next link replaces the current cursor', () => {
    const { link = '' } = pageHeaders('/review?after=old', { rows: [1], next: [id], total: 1 });
    expect(link.match(/after=/g)).toHaveLength(1);
    expect(link).not.toContain('old');
  });

  test.each([
    [999, false, '999'],
    [1000, false, '1000'],
    [1001, false, '1000+'],
    [24, true, '24+'],
  ])('%i matches (at least: %s) are counted as %s', (total, isAtLeast, count) => {
    const headers = pageHeaders('/product', { rows: [], next: null, total, isAtLeast });
    expect(headers['x-total-count']).toBe(count);
  });

  test('the headers say when more may match than were counted', () => {
    const page = { rows: [], next: null, total: 7, isAtLeast: true };
    expect(pageHeaders('/product', page)['x-total-count']).toBe('7+');
  });
});

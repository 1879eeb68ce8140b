import { describe, expect, test } from 'vitest';
import { readCursor } from '#src/platform/database/cursor.ts';
import { pageHeaders } from './paging.ts';

const id = '019a0b1c-2d3e-7f45-8a67-89abcdef0123';

describe('the headers of a page', () => {
  test('have no next page on the last one', () => {
    expect(pageHeaders('/product?limit=3', { rows: [], next: null, total: 0 })).toEqual({
      'x-total-count': '0',
    });
  });

  test('have the next page as a relative reference that keeps the search and its limit', () => {
    const headers = pageHeaders('/product?limit=3&q=a+%26+b', { rows: [1], next: ['x', id], total: 7 });
    expect(headers['x-total-count']).toBe('7');
    const [, address = ''] = /^<(\/product\?[^>]+)>; rel="next"$/.exec(headers.link ?? '') ?? [];
    const query = new URLSearchParams(address.split('?')[1]);
    expect(Object.fromEntries(query)).toEqual({ limit: '3', q: 'a & b', after: expect.any(String) });
    expect(readCursor(query.get('after') ?? '', ['text', 'id'])).toEqual(['x', id]);
  });

  test('have the next page where nothing was asked for', () => {
    expect(pageHeaders('/review', { rows: [1], next: [id], total: 1 }).link).toMatch(
      /^<\/review\?after=[\w-]+>; rel="next"$/,
    );
  });

  test('go on from the page that was asked for, and not from both', () => {
    const { link = '' } = pageHeaders('/review?after=old', { rows: [1], next: [id], total: 1 });
    expect(link.match(/after=/g)).toHaveLength(1);
    expect(link).not.toContain('old');
  });

  test.each([
    [999, false, '999'],
    [1000, false, '1000'],
    [1001, false, '1000+'],
    [24, true, '24+'],
  ])('count %i matches, which are only the least: %s, as %s', (total, isAtLeast, count) => {
    const headers = pageHeaders('/product', { rows: [], next: null, total, isAtLeast });
    expect(headers['x-total-count']).toBe(count);
  });

  test('say that there may be more than were counted', () => {
    const page = { rows: [], next: null, total: 7, isAtLeast: true };
    expect(pageHeaders('/product', page)['x-total-count']).toBe('7+');
  });
});

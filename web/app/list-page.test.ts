import { expect, test } from 'vitest';
import { listOf } from './list-page.ts';

const answer = (rows: unknown[], headers: Record<string, string> = {}, status = 200) =>
  Promise.resolve(new Response(JSON.stringify(rows), { status, headers }));

test('a list says its rows, how many match and where it goes on', async () => {
  const link = '</product?limit=24&after=a%2Bb>; rel="next"';
  expect(await listOf(answer([1, 2], { link, 'x-total-count': '10000+' }))).toEqual({
    rows: [1, 2],
    total: '10000+',
    after: 'a+b',
  });
});

test('the last page goes nowhere', async () => {
  expect(await listOf(answer([1]))).toEqual({ rows: [1], total: '1', after: null });
});

test('a call that failed or was never answered gives nothing', async () => {
  expect(await listOf(answer([], {}, 503))).toBeNull();
  expect(await listOf(Promise.reject(new Error('gone')))).toBeNull();
});

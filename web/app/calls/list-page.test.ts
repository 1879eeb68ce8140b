import { expect, test } from 'vitest';
import { OfflineError } from '#app/http/errors.ts';
import { readListPage, readListPageOrFailure } from './list-page.ts';

const answer = (body: unknown, headers: Record<string, string> = {}, status = 200) =>
  new Response(JSON.stringify(body), { status, headers });

test('a list has its rows, the number of matches and a cursor', async () => {
  const link = '</product?limit=24&after=a%2Bb>; rel="next"';
  expect(await readListPage(answer([1, 2], { link, 'x-total-count': '1000+' }))).toEqual({
    rows: [1, 2],
    total: '1000+',
    nextCursor: 'a+b',
  });
});

test('a list reads its rows from a field beside others', async () => {
  const page = { rows: [1], total: '1', nextCursor: null, held: 170 };
  expect(await readListPage(answer({ data: [1], held: 170 }), 'data')).toEqual(page);
});

test('the last page has no cursor', async () => {
  expect(await readListPage(answer([1]))).toEqual({ rows: [1], total: '1', nextCursor: null });
});

test('a failed list carries the request id from the shop’s log', async () => {
  const body = { type: 'urn:parts-forge:problem:unavailable', status: 503, requestId: 'b1946ac9' };
  expect(await readListPageOrFailure(answer(body, {}, 503))).toEqual({ rows: null, requestId: 'b1946ac9' });
  expect(await readListPageOrFailure(answer({}, { 'x-request-id': 'd3b07384' }, 502))).toEqual({
    rows: null,
    requestId: 'd3b07384',
  });
});

test('an unanswered or refused list has no request id', async () => {
  const failure = { rows: null, requestId: null };
  expect(await readListPageOrFailure(Promise.reject(new OfflineError()))).toEqual(failure);
  expect(await readListPageOrFailure(answer({ requestId: 'x' }, {}, 422))).toEqual(failure);
});

import { expect, test } from 'vitest';
import type { PageRequest } from './find-page.ts';
import { readAllPages } from './read-all-pages.ts';

/** A list of three pages that records its requests. */
function threePages() {
  const requests: PageRequest[] = [];
  const findPage = async (request: PageRequest) => {
    requests.push(request);
    const page = requests.length;
    return { rows: [page], next: page < 3 ? [page] : null, total: 0 };
  };
  return { requests, findPage };
}

test('every page is read after the one before, without counting', async () => {
  const { requests, findPage } = threePages();
  const rows: number[] = [];
  for await (const page of readAllPages(findPage)) rows.push(...page);
  expect(rows).toEqual([1, 2, 3]);
  expect(requests.map(({ after }) => after)).toEqual([undefined, 'WzFd', 'WzJd']);
  for (const { limit, withoutTotal } of requests) expect([limit, withoutTotal]).toEqual([100, true]);
});

test('pages that nobody takes are not read', async () => {
  const { requests, findPage } = threePages();
  for await (const [row] of readAllPages(findPage)) if (row === 2) break;
  expect(requests).toHaveLength(2);
});

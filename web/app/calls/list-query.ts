import { PAGE_SIZE } from '@parts-forge/contract/bounds';
import { infiniteQueryOptions } from '@tanstack/react-query';
import type { ListPage } from './list-page.ts';

/** Which page of a list a call is asked for. */
interface PageRequest {
  limit: string;
  after?: string;
}

/** A list that is read page by page, for the signed-in pages; the public lists are rendered on the server. */
export const listQueryOptions = <Row>(
  queryKey: readonly unknown[],
  readPage: (page: PageRequest, signal: AbortSignal) => Promise<ListPage<Row>>,
) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }) =>
      readPage({ limit: String(PAGE_SIZE), ...(pageParam && { after: pageParam }) }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
  });

import { PAGE_SIZE } from '@parts-forge/contract/calls/bounds';
import { infiniteQueryOptions, onlineManager } from '@tanstack/react-query';
import type { ListPage } from './list-page.ts';

interface PageRequest {
  limit: string;
  after?: string;
}

export const listQueryOptions = <Row>(
  queryKey: readonly unknown[],
  readPage: (page: PageRequest, signal: AbortSignal) => Promise<ListPage<Row>>,
  size: number = PAGE_SIZE,
) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }) =>
      readPage({ limit: String(size), ...(pageParam && { after: pageParam }) }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    // The rows of another filter stay until its own are there; offline these may never come.
    placeholderData: (former) => (onlineManager.isOnline() ? former : undefined),
  });

import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ListPage } from '#app/calls/list-page.ts';
import { ListFooter } from './list-footer.tsx';
import { QueryPanel } from './query-panel.tsx';

interface PagedListProps<Row> {
  list: UseInfiniteQueryResult<InfiniteData<ListPage<Row>>>;
  /** At the start of a sentence: 'Your orders'. */
  what: string;
  /** Replaces 'Nothing is lost' in a failure's text. */
  safe?: string;
  skeleton: ReactNode;
  /** By default `24 of 57`; stands below a single page, too. */
  describeCount?: ((shown: number) => string) | undefined;
  /** Changes the loaded rows before rendering, as to insert notices. */
  mapRows?: (rows: readonly Row[]) => readonly Row[];
  empty: ReactNode;
  children: (rows: readonly Row[]) => ReactNode;
}

export function PagedList<Row>(props: PagedListProps<Row>) {
  const { list, what, safe, skeleton, describeCount, mapRows = (rows) => rows, empty, children } = props;
  return (
    <QueryPanel query={list} what={what} safe={safe} skeleton={skeleton}>
      {({ pages }) => {
        const rows = mapRows(pages.flatMap((page) => page.rows));
        return (
          <>
            {rows.length === 0 ? empty : children(rows)}
            <ListFooter
              shown={rows.length}
              total={pages[0]?.total ?? '0'}
              text={describeCount?.(rows.length)}
              hasMore={list.hasNextPage}
              isPaged={pages.length > 1}
              busy={list.isFetchingNextPage}
              error={list.isFetchNextPageError ? list.error : null}
              onMore={list.fetchNextPage}
            />
          </>
        );
      }}
    </QueryPanel>
  );
}

import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { AnswerPage } from '#app/api-client.ts';
import { describeError } from '#app/errors/describe-error.ts';
import { LoadError } from '#app/errors/load-error.tsx';
import { LoadMore } from '#app/ui/load-more.tsx';
import { useSkeleton } from '#app/ui/skeleton.tsx';

interface PagedListProps<Answer, Row> {
  list: UseInfiniteQueryResult<InfiniteData<AnswerPage<Answer>>>;
  /** What is listed, as the beginning of a sentence: 'Your orders'. */
  what: string;
  /** What a failure leaves as it is, in place of 'Nothing is lost'. */
  safe?: string;
  skeleton: ReactNode;
  /** The rows to show, from the answers of all pages that are loaded. */
  rowsOf: (answers: Answer[]) => readonly Row[];
  empty: ReactNode;
  children: (rows: readonly Row[]) => ReactNode;
}

/** A list that comes page by page, in whichever state it is. */
export function PagedList<Answer, Row>(props: PagedListProps<Answer, Row>) {
  const { list, what, safe, skeleton, rowsOf, empty, children } = props;
  const loading = useSkeleton(list.isPending);
  if (loading) return skeleton;
  if (list.isPending) return null;
  if (!list.data) {
    const { error, isFetching, refetch } = list;
    return <LoadError what={what} safe={safe} error={error} busy={isFetching} onRetry={refetch} />;
  }
  const rows = rowsOf(list.data.pages.map(({ answer }) => answer));
  return (
    <>
      {rows.length === 0 ? empty : children(rows)}
      <LoadMore
        shown={rows.length}
        total={list.data.pages[0]?.total ?? '0'}
        hasMore={list.hasNextPage}
        paged={list.data.pages.length > 1}
        busy={list.isFetchingNextPage}
        failure={
          list.isFetchNextPageError
            ? `${describeError(list.error)} The rest was not loaded; try again.`
            : null
        }
        onMore={list.fetchNextPage}
      />
    </>
  );
}

import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactElement, ReactNode } from 'react';
import { getProblemCode } from '#app/errors/describe-error.ts';
import { LoadError } from '#app/errors/load-error.tsx';
import { Skeleton } from '#app/ui/skeleton.tsx';
import { useSkeleton } from '#app/ui/use-skeleton.ts';

type Query<Data> = Pick<UseQueryResult<Data>, 'data' | 'error' | 'isPending' | 'isFetching'> & {
  refetch(): unknown;
};

interface QueryPanelProps<Data> {
  query: Query<Data>;
  /** At the start of a sentence: 'The order'. */
  what: string;
  /** Replaces 'Nothing is lost' in a failure's text. */
  safe?: string | undefined;
  /** Above every state except the data, which brings its own heading. */
  heading?: ReactNode;
  skeleton: ReactNode;
  /** Replaces the error of a `not-found`. */
  missing?: ReactNode;
  children: (data: Data) => ReactElement;
}

export function QueryPanel<Data>(props: QueryPanelProps<Data>) {
  const { query, what, safe, heading, skeleton, missing, children } = props;
  const { data, error, isPending, refetch } = query;
  const loading = useSkeleton(isPending);
  if (data !== undefined && !loading) return children(data);
  const isMissing = missing !== undefined && getProblemCode(error) === 'not-found';
  return (
    <>
      {heading}
      {loading && skeleton}
      {!loading && isMissing && missing}
      {!loading && error && !isMissing && (
        // Unread query properties cause no render, so only this branch reads `isFetching`.
        <LoadError what={what} safe={safe} error={error} busy={query.isFetching} onRetry={refetch} />
      )}
    </>
  );
}

/** Has data when both have, and fails when either does. A retry repeats the one that failed. */
export function joinQueries<First, Second>(
  first: Query<First>,
  second: Query<Second>,
): Query<readonly [First, Second]> {
  const failed = [first, second].find(({ data, error }) => data === undefined && error);
  return {
    data: first.data === undefined || second.data === undefined ? undefined : [first.data, second.data],
    error: failed?.error ?? null,
    isPending: !failed && (first.isPending || second.isPending),
    isFetching: failed?.isFetching ?? false,
    refetch: () => failed?.refetch(),
  };
}

interface PanelsSkeletonProps {
  className?: string;
  /** Classes, one for each panel. */
  heights: readonly string[];
}

export function PanelsSkeleton({ className = '', heights }: PanelsSkeletonProps) {
  return (
    <div className={`grid gap-6 ${className}`.trimEnd()} aria-busy="true">
      <p className="sr-only" role="status">
        Loading…
      </p>
      {heights.map((height) => (
        <Skeleton key={height} className={`${height} w-full !rounded-box`} />
      ))}
    </div>
  );
}

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

/**
 * Has data when all queries have. Fails when one fails; an error other than `not-found` comes first. A retry repeats
 * the failed ones.
 */
export function joinQueries<Data extends readonly unknown[]>(
  ...queries: { [Place in keyof Data]: Query<Data[Place]> }
): Query<Data> {
  const failed = queries.filter(({ data, error }) => data === undefined && error);
  const first = failed.find(({ error }) => getProblemCode(error) !== 'not-found') ?? failed[0];
  const data = queries.map((query) => query.data);
  return {
    data: data.includes(undefined) ? undefined : (data as unknown as Data),
    error: first?.error ?? null,
    isPending: queries.some(({ isPending }) => isPending),
    isFetching: failed.some(({ isFetching }) => isFetching),
    refetch: () => Promise.all(failed.map(({ refetch }) => refetch())),
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

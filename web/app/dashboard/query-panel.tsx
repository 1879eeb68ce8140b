import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { getProblemCode } from '#app/errors/describe-error.ts';
import { LoadError } from '#app/errors/load-error.tsx';
import { Skeleton } from '#app/ui/skeleton.tsx';
import { useSkeleton } from '#app/ui/use-skeleton.ts';

interface QueryPanelProps<Data> {
  query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'isPending' | 'isFetching' | 'refetch'>;
  /** The name of the data, as the beginning of a sentence: 'The order'. */
  what: string;
  /** What a failure leaves as it is, in place of 'Nothing is lost'. */
  safe?: string | undefined;
  /** Above everything but the data, which brings a heading of its own. */
  heading?: ReactNode;
  skeleton: ReactNode;
  /** In place of an error when the shop has no such thing. */
  missing?: ReactNode;
  children: (data: Data) => ReactNode;
}

/** The data of a query: while it loads, when it is missing, when it fails, and when it is there. */
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
        // Read here alone: what is not read of a query does not render it again.
        <LoadError what={what} safe={safe} error={error} busy={query.isFetching} onRetry={refetch} />
      )}
    </>
  );
}

interface PanelsSkeletonProps {
  /** The grid that the panels stand in. */
  className?: string;
  /** Of each panel, as classes. */
  heights: readonly string[];
}

/** Panels that are loading. */
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

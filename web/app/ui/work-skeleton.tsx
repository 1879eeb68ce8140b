import { Skeleton } from './skeleton.tsx';

/** Has the real height of a `WorkTable`'s head and rows. */
export function WorkSkeleton({ rows = 10 }: { rows?: number }) {
  return (
    <div className="pf-panel" aria-busy="true">
      <p className="sr-only" role="status">
        Loading…
      </p>
      <div aria-hidden="true">
        <div className="h-10 border-b border-base-300" />
        {Array.from({ length: rows }, (_, row) => (
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: the rows are alike and never move.
            key={row}
            className="flex h-[4.875rem] items-center gap-6 border-base-300 px-4 lg:h-12 [&+div]:border-t"
          >
            <Skeleton className="size-5 shrink-0" />
            <Skeleton className="h-3.5 w-14 max-lg:hidden" />
            <Skeleton className="size-8 shrink-0 !rounded-field" />
            <Skeleton className="h-3.5 max-w-60 flex-1" />
            <Skeleton className="ml-auto h-3.5 w-20" />
          </div>
        ))}
      </div>
    </div>
  );
}

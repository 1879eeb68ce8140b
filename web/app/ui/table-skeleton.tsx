import { Skeleton } from './skeleton.tsx';

const cellWidths = { short: 'w-12', middle: 'w-20', long: 'w-32' };
export type CellWidth = keyof typeof cellWidths;

/** A table that is being loaded: rows of the height that the table's rows have, cards where it is narrow. */
export function TableSkeleton({
  cells,
  rows = 4,
  picture = true,
}: {
  cells: readonly CellWidth[];
  rows?: number;
  picture?: boolean;
}) {
  return (
    <div className="pf-panel overflow-clip" aria-busy="true">
      <p className="sr-only" role="status">
        Loading…
      </p>
      <div aria-hidden="true">
        <div className="flex h-[2.8125rem] items-center border-b border-base-300 px-4 max-md:hidden">
          <Skeleton className="h-3 w-16" />
        </div>
        {Array.from({ length: rows }, (_, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows are alike and never move.
          <div key={row} className="border-base-300 [&+div]:border-t">
            <div className="flex h-[5.5rem] items-center gap-6 px-4 max-md:hidden">
              {picture && <Skeleton className="size-14 shrink-0 !rounded-field" />}
              <Lines />
              {cells.map((width, place) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the cells never move.
                <Skeleton key={place} className={`h-3.5 ${cellWidths[width]}`} />
              ))}
            </div>
            <div className="p-4 md:hidden">
              <div className="flex items-center gap-4 py-1.5">
                {picture && <Skeleton className="size-14 shrink-0 !rounded-field" />}
                <Lines />
              </div>
              {cells.map((width, place) => (
                <div
                  // biome-ignore lint/suspicious/noArrayIndexKey: the cells never move.
                  key={place}
                  className="grid h-11 grid-cols-[8.5rem_minmax(0,1fr)] items-center gap-3"
                >
                  <Skeleton className="h-3 w-20" />
                  <Skeleton className={`h-3.5 ${cellWidths[width]}`} />
                </div>
              ))}
            </div>
          </div>
        ))}
      </div>
    </div>
  );
}

function Lines() {
  return (
    <div className="grid flex-1 gap-2">
      <Skeleton className="h-3.5 w-48" />
      <Skeleton className="h-3 w-24" />
    </div>
  );
}

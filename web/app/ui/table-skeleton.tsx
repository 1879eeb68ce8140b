import { Skeleton } from './skeleton.tsx';

const cellWidths = { short: 'w-12', middle: 'w-20', long: 'w-32' };
type CellWidth = keyof typeof cellWidths;

interface TableSkeletonProps {
  /** All columns except the first; the last one holds buttons. */
  cells: readonly CellWidth[];
  rows?: number;
  /** Whether most rows have buttons, which make a card higher. */
  actions?: boolean;
}

/** Rows of the real height, cards when narrow. */
export function TableSkeleton({ cells, rows = 4, actions = true }: TableSkeletonProps) {
  return (
    <div className="pf-tablewrap pf-panel overflow-clip" aria-busy="true">
      <p className="sr-only" role="status">
        Loading…
      </p>
      <div aria-hidden="true">
        <div className="flex h-[2.8125rem] items-center border-b border-base-300 px-4 @max-[55rem]:hidden">
          <Skeleton className="h-3 w-16" />
        </div>
        {Array.from({ length: rows }, (_, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows are alike and never move.
          <div key={row} className="border-base-300 [&+div]:border-t">
            <div className="flex h-[5.5rem] items-center gap-6 px-4 @max-[55rem]:hidden">
              <Skeleton className="size-14 shrink-0 !rounded-field" />
              <Lines />
              {cells.map((width, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the cells never move.
                <Skeleton key={index} className={`h-3.5 ${cellWidths[width]}`} />
              ))}
            </div>
            <div className="p-4 @min-[30rem]:grid @min-[30rem]:grid-cols-2 @min-[30rem]:gap-x-8 @min-[55rem]:hidden">
              <div className="col-span-2 flex items-center gap-4 py-1.5">
                <Skeleton className="size-14 shrink-0 !rounded-field" />
                <Lines />
              </div>
              {cells.slice(0, -1).map((width, index) => (
                <div
                  // biome-ignore lint/suspicious/noArrayIndexKey: the cells never move.
                  key={index}
                  className="grid h-10 grid-cols-[clamp(6.75rem,43%,8.5rem)_minmax(0,1fr)] items-center gap-3"
                >
                  <Skeleton className="h-3 w-20" />
                  <Skeleton className={`h-3.5 ${cellWidths[width]}`} />
                </div>
              ))}
              {actions && <Skeleton className="col-span-2 mt-3 h-11 !rounded-field" />}
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

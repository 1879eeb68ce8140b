import { PageTitle } from '#app/ui/shop.tsx';
import { Skeleton } from '#app/ui/skeleton.tsx';

/** Has the page's layout; `shown` only after a noticeable loading time. */
export function PurchaseSkeleton({ shown }: { shown: boolean }) {
  return (
    <div
      className={`wrap pb-24 pt-8 md:pt-12 low:pt-2 ${shown ? '' : 'invisible'}`.trimEnd()}
      aria-busy="true"
    >
      <PageTitle title="Loading part" />
      <h1 className="sr-only">Part</h1>
      <p className="sr-only" role="status">
        The part is loading.
      </p>
      <div className="mb-6 flex h-8 items-center low:mb-2">
        <Skeleton className="h-3 w-24" />
      </div>
      <div
        className="grid gap-x-8 gap-y-8 lg:grid-cols-[minmax(0,1fr)_26rem] xl:grid-cols-[minmax(0,1fr)_28rem]"
        aria-hidden="true"
      >
        <SheetSkeleton />
        <FormSkeleton />
      </div>
    </div>
  );
}

function SheetSkeleton() {
  return (
    <div className="pf-panel flex flex-col overflow-clip max-lg:self-start">
      <Skeleton className="aspect-square !rounded-none sm:!aspect-[8/5] lg:!aspect-auto lg:min-h-80 lg:flex-1" />
      <div className="grid gap-x-12 gap-y-6 p-6 md:grid-cols-2 md:p-8 lg:grid-cols-1 xl:grid-cols-2">
        <div>
          <div className="grid gap-2">
            <Skeleton className="h-8 w-[82%]" />
            <Skeleton className="h-8 w-3/5" />
          </div>
          <div className="mt-4 grid">
            {['w-full', 'w-[96%]', 'w-[92%]'].map((width) => (
              <div key={width} className="flex h-6 items-center">
                <Skeleton className={`h-3.5 ${width}`} />
              </div>
            ))}
          </div>
        </div>
        <div>
          {['h-[2.8125rem]', 'h-[2.5625rem] a', 'h-[2.5625rem] b'].map((height) => (
            <div
              key={height}
              className={`flex items-center justify-between border-t border-base-300 last:border-b ${height.split(' ')[0]}`}
            >
              <Skeleton className="h-3 w-32" />
              <Skeleton className="h-4 w-14" />
            </div>
          ))}
        </div>
      </div>
    </div>
  );
}

function FormSkeleton() {
  return (
    <div className="pf-panel self-start p-6 md:p-8 low:p-6">
      <div className="mb-6 flex h-7 items-center low:mb-3">
        <Skeleton className="h-5 w-28" />
      </div>
      <div className="grid gap-5 low:gap-2.5">
        <FieldSkeleton height="h-12" />
        <FieldSkeleton height="h-12" />
        <FieldSkeleton height="h-24 low:h-20" />
        <FieldSkeleton height="h-12" />
        <div className="grid gap-1.5">
          <FieldSkeleton height="h-12" />
          <div className="h-5" />
          <div className="flex h-[2.875rem] items-center">
            <Skeleton className="h-1 w-full" />
          </div>
        </div>
        <div className="flex h-[3.5625rem] items-end justify-between border-t border-base-300 pb-1">
          <Skeleton className="h-3.5 w-20" />
          <Skeleton className="h-6 w-32" />
        </div>
        <Skeleton className="h-12 w-full !rounded-field" />
      </div>
    </div>
  );
}

function FieldSkeleton({ height }: { height: string }) {
  return (
    <div className="grid gap-1.5">
      <div className="flex h-5 items-center">
        <Skeleton className="h-3 w-20" />
      </div>
      <Skeleton className={`w-full !rounded-field ${height}`} />
    </div>
  );
}

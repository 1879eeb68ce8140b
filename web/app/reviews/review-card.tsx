import type { Review } from '@parts-forge/contract/products/reviews';
import { BadgeCheck, UserRound } from 'lucide';
import { Icon } from '#app/ui/icon.tsx';
import { Skeleton } from '#app/ui/skeleton.tsx';
import { Stars } from '#app/ui/stars.tsx';

const card =
  'flex min-w-0 flex-col overflow-clip border-base-300 [overflow-wrap:anywhere] max-md:border-t max-md:py-6 md:border-l md:pl-8';

/** A review as in specification §2, "Review cards". */
export function ReviewCard({ review: { name, rating, description, verified } }: { review: Review }) {
  return (
    <li className={card}>
      <p className="line-clamp-50 whitespace-pre-line text-lead">{description}</p>
      <div className="mt-auto flex items-center gap-3 pt-6">
        <span
          className="grid size-11 shrink-0 place-items-center rounded-full border border-base-300 bg-base-200 text-muted"
          role="img"
          aria-label="No picture"
        >
          <Icon of={UserRound} />
        </span>
        <div className="min-w-0">
          <p className="font-semibold">
            <bdi>{name}</bdi>
          </p>
          <p className="num flex flex-wrap items-center gap-x-1.5 text-sm text-muted">
            <Stars value={rating} />
            <span>
              <span className="sr-only">Rating </span>
              {rating.toFixed(1)}
            </span>
            {verified && <VerifiedMark />}
          </p>
        </div>
      </div>
    </li>
  );
}

/** The reviewer has paid for an order. */
function VerifiedMark() {
  return (
    <span className="inline-flex items-center gap-1">
      <Icon of={BadgeCheck} className="size-4 text-success" />
      Verified buyer
    </span>
  );
}

/** Placeholder of a review's size. */
export function ReviewCardSkeleton() {
  return (
    <li aria-hidden="true" className={card}>
      {['w-full', 'w-[96%]', 'w-[98%]', 'w-3/5'].map((width) => (
        <div key={width} className="flex h-7 items-center">
          <Skeleton className={`h-3.5 ${width}`} />
        </div>
      ))}
      <div className="mt-auto flex items-center gap-3 pt-6">
        <Skeleton className="size-11 !rounded-full" />
        <div className="grid gap-2">
          <Skeleton className="h-3.5 w-28" />
          <Skeleton className="h-3 w-24" />
        </div>
      </div>
    </li>
  );
}

import type { Review } from '@parts-forge/contract/reviews';
import { UserRound } from 'lucide-react';
import { Icon } from '#app/ui/icon.tsx';
import { Stars } from '#app/ui/stars.tsx';

/** A review with the reviewer's name, rating and a placeholder avatar (specification §2, "Review cards"). */
export function ReviewCard({ review: { name, rating, description } }: { review: Review }) {
  return (
    <li className="flex flex-col border-base-300 max-md:border-t max-md:py-6 md:border-l md:pl-8">
      <p className="whitespace-pre-line text-lead">{description}</p>
      <div className="mt-auto flex items-center gap-3 pt-6">
        <span
          className="grid size-11 shrink-0 place-items-center rounded-full border border-base-300 bg-base-200 text-muted"
          role="img"
          aria-label="No picture"
        >
          <Icon of={UserRound} />
        </span>
        <div className="min-w-0">
          <p className="font-semibold">{name}</p>
          <p className="num flex items-center gap-1.5 text-sm text-muted">
            <Stars value={rating} />
            <span>
              <span className="sr-only">Rating </span>
              {rating.toFixed(1)}
            </span>
          </p>
        </div>
      </div>
    </li>
  );
}

import { formatCount } from '@parts-forge/contract/money/money';
import type { Review } from '@parts-forge/contract/products/reviews';
import { useState } from 'react';
import { toastError } from '#app/errors/toast-error.ts';
import { Button } from '#app/ui/button.tsx';
import { ConfirmDialog } from '#app/ui/dialog.tsx';
import { formatDay } from '#app/ui/format-day.ts';
import { Panel } from '#app/ui/panel.tsx';
import { Stars } from '#app/ui/stars.tsx';
import { toast } from '#app/ui/toast.tsx';
import { useOnline } from '#app/ui/use-online.ts';
import { useDeleteReview } from './queries.ts';

/** Each review can be deleted after a confirmation. */
export function CustomerReviews({ reviews, email }: { reviews: readonly Review[]; email: string }) {
  const [asked, setAsked] = useState<Review | null>(null);
  return (
    <Panel
      heading="Reviews"
      aside={<span className="num text-sm text-muted">{formatCount(reviews.length, 'review')}</span>}
    >
      {reviews.length === 0 && <p className="text-muted">None written.</p>}
      <ul>
        {reviews.map((review) => (
          <WrittenReview key={review._id} review={review} onRemove={() => setAsked(review)} />
        ))}
      </ul>
      {asked && <RemoveReview review={asked} email={email} onClose={() => setAsked(null)} />}
    </Panel>
  );
}

function WrittenReview({ review, onRemove }: { review: Review; onRemove: () => void }) {
  const online = useOnline();
  const day = formatDay(review.createdAt);
  const rating = review.rating.toFixed(1);
  return (
    <li className="overflow-clip border-base-300 py-4 first:pt-0 last:pb-0 [&+li]:border-t">
      <p className="whitespace-pre-line text-[0.9375rem] [overflow-wrap:anywhere]">{review.description}</p>
      <div className="num mt-3 flex flex-wrap items-center gap-x-3 gap-y-2 text-sm text-muted">
        <Stars value={review.rating} />
        <span>
          <span className="sr-only">Rating </span>
          {rating}
        </span>
        <span>{day}</span>
        <Button
          kind="danger-line"
          size="row"
          className="ml-auto"
          aria-label={`Remove the review of ${day}, rating ${rating}`}
          disabled={!online}
          onClick={onRemove}
        >
          Remove
        </Button>
      </div>
    </li>
  );
}

interface RemoveReviewProps {
  review: Review;
  email: string;
  onClose: () => void;
}

function RemoveReview({ review, email, onClose }: RemoveReviewProps) {
  const removal = useDeleteReview(email);
  const remove = () =>
    removal.mutate(review._id, {
      onSuccess: () => toast('success', 'Review removed'),
      onError: toastError,
      onSettled: onClose,
    });
  return (
    <ConfirmDialog
      title="Remove this review?"
      safe="Keep review"
      confirm="Remove review"
      busy={removal.isPending}
      busyLabel="Removing…"
      onClose={onClose}
      onConfirm={remove}
    >
      It leaves the home page at once and cannot be brought back. The trail keeps who removed it.
    </ConfirmDialog>
  );
}

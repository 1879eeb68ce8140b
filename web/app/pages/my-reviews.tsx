import { PageHeading } from '#app/dashboard/page-heading.tsx';
import { pagePolicies } from '#app/dashboard/page-policies.ts';
import { requirePermission } from '#app/identity/guards.ts';
import { useSignedInUser } from '#app/identity/signed-in-user.ts';
import { ReviewForm } from '#app/reviews/review-form.tsx';

export const clientMiddleware = [requirePermission(pagePolicies['my-reviews'])];

/** Nothing to read; it makes the middleware run on the first load too. */
export function clientLoader() {
  return null;
}

export default function MyReviewsPage() {
  const user = useSignedInUser();
  return (
    <>
      <PageHeading title="Add A Review" />
      <ReviewForm user={user} />
    </>
  );
}

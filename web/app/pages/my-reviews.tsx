import { PageHeading } from '#app/dashboard/page-heading.tsx';
import { useSignedInUser } from '#app/identity/signed-in-user.ts';
import { ReviewForm } from '#app/reviews/review-form.tsx';

/** Makes the middleware run on the first load, too. */
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

import { PageHeading } from '#app/dashboard/page-heading.tsx';
import { useSignedInUser } from '#app/identity/signed-in-user.ts';
import { ReviewForm } from '#app/reviews/review-form.tsx';

export default function MyReviewsPage() {
  const user = useSignedInUser();
  return (
    <>
      <PageHeading title="Add A Review" />
      <ReviewForm user={user} />
    </>
  );
}

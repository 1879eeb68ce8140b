import { addReview, type NewReview } from '@parts-forge/contract/products/reviews';
import { useMutation } from '@tanstack/react-query';
import { callShop } from '#app/calls/api-client.ts';

/** Adds a review; the home page shows it from its next load. */
export function useAddReview() {
  return useMutation({ mutationFn: (review: NewReview) => callShop(addReview, { body: review }) });
}

import { zodResolver } from '@hookform/resolvers/zod';
import { DEFAULT_RATING, MAX_REVIEW } from '@parts-forge/contract/calls/bounds';
import { messages } from '@parts-forge/contract/calls/messages';
import { newReviewSchema } from '@parts-forge/contract/products/reviews';
import { Controller, useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import { PageHeading } from '#app/dashboard/page-heading.tsx';
import { describeError } from '#app/errors/describe-error.ts';
import { deferBlur } from '#app/forms/defer-blur.ts';
import { FormError } from '#app/forms/form-error.tsx';
import { showFieldErrors } from '#app/forms/show-field-errors.ts';
import { SubmitButton } from '#app/forms/submit-button.tsx';
import { createFormDraft, useDraft } from '#app/forms/use-draft.ts';
import { useSingleFlight } from '#app/forms/use-single-flight.ts';
import { OfflineError } from '#app/http/errors.ts';
import { useSignedInUser } from '#app/identity/signed-in-user.ts';
import { TextArea } from '#app/ui/field.tsx';
import { toast } from '#app/ui/toast.tsx';
import { useAddReview } from './queries.ts';
import { RatingField } from './rating-field.tsx';

const reviewFormSchema = z.pick(newReviewSchema, { rating: true, description: true });
const emptyReview = { rating: DEFAULT_RATING, description: '' };

/** Adds a review and then starts over. */
export default function ReviewForm() {
  const { form, add, submit } = useReviewForm();
  const { errors } = form.formState;
  return (
    <>
      <PageHeading title="Add A Review" />
      <section className="pf-panel max-w-2xl p-6 md:p-8" aria-label="Your review">
        {add.error && !errors.description && <ReviewError error={add.error} />}
        <form className="grid gap-6" noValidate onSubmit={submit}>
          <Controller
            control={form.control}
            name="rating"
            render={({ field }) => <RatingField value={field.value} onChange={field.onChange} />}
          />
          <TextArea
            label="Review"
            rows={5}
            required
            maxLength={MAX_REVIEW}
            hint="Shown on the home page with your name."
            error={errors.description?.message}
            {...deferBlur(form.register('description'))}
          />
          <SubmitButton
            error={add.error}
            className="justify-self-start max-sm:w-full"
            busy={add.isPending}
            busyLabel="Submitting…"
          >
            Submit review
          </SubmitButton>
        </form>
      </section>
    </>
  );
}

function useReviewForm() {
  const { email, displayName } = useSignedInUser();
  const form = useForm({
    resolver: zodResolver(reviewFormSchema),
    mode: 'onTouched',
    defaultValues: emptyReview,
  });
  useDraft('review', email, createFormDraft(form, emptyReview));
  const add = useAddReview();
  const once = useSingleFlight();
  const send = async (review: z.output<typeof reviewFormSchema>) => {
    try {
      await add.mutateAsync({ ...review, email, name: displayName ?? '' });
      form.reset(emptyReview);
      toast('success', messages.reviewSubmitted);
    } catch (error) {
      showFieldErrors(form, error, ['rating', 'description']);
    }
  };
  return { form, add, submit: form.handleSubmit((review) => once(() => send(review))) };
}

function ReviewError({ error }: { error: Error }) {
  return (
    <FormError error={error} className="mb-6">
      {error instanceof OfflineError
        ? 'No answer came: the review may have arrived. Look at the home page before you send it again.'
        : `${describeError(error)} What you wrote is still here; try again.`}
    </FormError>
  );
}

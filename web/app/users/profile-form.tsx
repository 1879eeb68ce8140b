import { zodResolver } from '@hookform/resolvers/zod';
import { messages } from '@parts-forge/contract/messages';
import { type Profile, profileSchema, type User } from '@parts-forge/contract/users';
import { useForm } from 'react-hook-form';
import { Link, useLocation } from 'react-router';
import { describeError } from '#app/errors/describe-error.ts';
import { SignedOutError } from '#app/errors/errors.ts';
import { deferBlur } from '#app/forms/defer-blur.ts';
import { FormError } from '#app/forms/form-error.tsx';
import { showFieldErrors } from '#app/forms/show-field-errors.ts';
import { SubmitButton } from '#app/forms/submit-button.tsx';
import { createFormDraft, useDraft } from '#app/forms/use-draft.ts';
import { useSingleFlight } from '#app/forms/use-single-flight.ts';
import { buildLoginPath } from '#app/identity/return-path.ts';
import { Field } from '#app/ui/field.tsx';
import { toast } from '#app/ui/toast.tsx';
import { useUpdateProfile } from './queries.ts';

/** Changes one's profile. Whatever goes wrong, what was typed stays. */
export function ProfileForm({ user }: { user: User }) {
  const { education, location, phone, linkdin } = user;
  const saved: Profile = { education, location, phone, linkdin };
  const form = useForm({
    resolver: zodResolver(profileSchema),
    mode: 'onTouched',
    defaultValues: saved,
    values: saved,
    // What was typed meanwhile is not overwritten by a reload.
    resetOptions: { keepDirtyValues: true },
  });
  // What was typed before signing in again comes back as typed, not as saved.
  useDraft('profile', user.email, createFormDraft(form));
  const update = useUpdateProfile(user.email);
  const once = useSingleFlight();
  const save = async (profile: Profile) => {
    try {
      await update.mutateAsync(profile);
      form.reset(profile);
      toast('success', messages.profileUpdated);
    } catch (error) {
      showFieldErrors(form, error, ['education', 'location', 'phone', 'linkdin']);
    }
  };
  const { errors } = form.formState;
  return (
    <section className="pf-panel p-6" aria-labelledby="update-heading">
      <h2 id="update-heading" className="display mb-5 text-h4">
        Update your profile
      </h2>
      {Object.keys(errors).length === 0 && <UpdateFailed error={update.error} />}
      <form
        className="grid gap-5"
        noValidate
        onSubmit={form.handleSubmit((profile) => once(() => save(profile)))}
      >
        <Field
          label="Education"
          error={errors.education?.message}
          {...deferBlur(form.register('education'))}
        />
        <Field
          label="Location"
          autoComplete="address-level2"
          error={errors.location?.message}
          {...deferBlur(form.register('location'))}
        />
        <Field
          label="Phone"
          type="tel"
          autoComplete="tel"
          error={errors.phone?.message}
          {...deferBlur(form.register('phone'))}
        />
        <Field
          label="LinkedIn"
          type="url"
          hint="The full address, beginning with https://"
          error={errors.linkdin?.message}
          {...deferBlur(form.register('linkdin'))}
        />
        <SubmitButton
          error={update.error}
          className="justify-self-start max-sm:w-full"
          busy={update.isPending}
          busyLabel="Saving…"
        >
          Update profile
        </SubmitButton>
      </form>
    </section>
  );
}

/** Above the form: 'No user is logged in' when the session cannot be renewed (specification §8), or what else went wrong. */
function UpdateFailed({ error }: { error: Error | null }) {
  const { pathname } = useLocation();
  if (error === null) return null;
  return (
    <FormError error={error} className="mb-5">
      {error instanceof SignedOutError ? (
        <>
          <p className="font-medium">{messages.noUser}</p>
          <p>
            What you typed waits here.{' '}
            <Link to={buildLoginPath(pathname)} className="pf-link">
              Login
            </Link>
          </p>
        </>
      ) : (
        <p>{describeError(error)} What you typed is still here; try again.</p>
      )}
    </FormError>
  );
}

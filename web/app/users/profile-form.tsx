import { zodResolver } from '@hookform/resolvers/zod';
import { messages } from '@parts-forge/contract/messages';
import { type Profile, profileSchema, type User } from '@parts-forge/contract/users';
import { useRef } from 'react';
import { useForm } from 'react-hook-form';
import { Link, useLocation } from 'react-router';
import { showFieldErrors } from '#app/field-errors.ts';
import { fieldsOf, useDraft } from '#app/identity/draft.ts';
import { loginPath } from '#app/identity/return-path.ts';
import { refusalOf } from '#app/refusal.ts';
import { SignedOutError } from '#app/shop-problem.ts';
import { afterPress } from '#app/ui/after-press.ts';
import { Field } from '#app/ui/field.tsx';
import { FormFailure } from '#app/ui/form-failure.tsx';
import { SendButton } from '#app/ui/send-button.tsx';
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
  useDraft('profile', user.email, fieldsOf(form));
  const update = useUpdateProfile(user.email);
  const locked = useRef(false);
  const save = form.handleSubmit(async (profile) => {
    if (locked.current) return;
    locked.current = true;
    try {
      await update.mutateAsync(profile);
      form.reset(profile);
      toast('success', messages.profileUpdated);
    } catch (error) {
      showFieldErrors(form, error, ['education', 'location', 'phone', 'linkdin']);
    } finally {
      locked.current = false;
    }
  });
  const { errors } = form.formState;
  return (
    <section className="pf-panel p-6" aria-labelledby="update-heading">
      <h2 id="update-heading" className="display mb-5 text-h4">
        Update your profile
      </h2>
      {Object.keys(errors).length === 0 && <UpdateFailed error={update.error} />}
      <form className="grid gap-5" noValidate onSubmit={save}>
        <Field
          label="Education"
          error={errors.education?.message}
          {...afterPress(form.register('education'))}
        />
        <Field
          label="Location"
          autoComplete="address-level2"
          error={errors.location?.message}
          {...afterPress(form.register('location'))}
        />
        <Field
          label="Phone"
          type="tel"
          autoComplete="tel"
          error={errors.phone?.message}
          {...afterPress(form.register('phone'))}
        />
        <Field
          label="LinkedIn"
          type="url"
          hint="The full address, beginning with https://"
          error={errors.linkdin?.message}
          {...afterPress(form.register('linkdin'))}
        />
        <SendButton
          error={update.error}
          className="justify-self-start max-sm:w-full"
          busy={update.isPending}
          busyLabel="Saving…"
        >
          Update profile
        </SendButton>
      </form>
    </section>
  );
}

/** Above the form: 'No user is logged in' when the session cannot be renewed (specification §8), or what else went wrong. */
function UpdateFailed({ error }: { error: Error | null }) {
  const { pathname } = useLocation();
  if (error === null) return null;
  return (
    <FormFailure className="mb-5">
      {error instanceof SignedOutError ? (
        <>
          <p className="font-medium">{messages.noUser}</p>
          <p>
            What you typed waits here.{' '}
            <Link to={loginPath(pathname)} className="pf-link">
              Login
            </Link>
          </p>
        </>
      ) : (
        <p>{refusalOf(error)} What you typed is still here; try again.</p>
      )}
    </FormFailure>
  );
}

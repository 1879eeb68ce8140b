import { zodResolver } from '@hookform/resolvers/zod';
import { messages } from '@parts-forge/contract/calls/messages';
import { type Profile, profileSchema, type User } from '@parts-forge/contract/people/users';
import { COUNTRIES, nameCountry } from '@parts-forge/contract/text/countries';
import { type Resolver, type UseFormReturn, useForm } from 'react-hook-form';
import { Link, useLocation } from 'react-router';
import { describeError } from '#app/errors/describe-error.ts';
import { deferBlur } from '#app/forms/defer-blur.ts';
import { FormError } from '#app/forms/form-error.tsx';
import { showFieldErrors } from '#app/forms/show-field-errors.ts';
import { SubmitButton } from '#app/forms/submit-button.tsx';
import { createFormDraft, useDraft } from '#app/forms/use-draft.ts';
import { useSingleFlight } from '#app/forms/use-single-flight.ts';
import { SignedOutError } from '#app/http/errors.ts';
import { buildLoginPath } from '#app/session/return-path.ts';
import { Field, TextArea } from '#app/ui/field.tsx';
import { SelectField } from '#app/ui/select-field.tsx';
import { toast } from '#app/ui/toast.tsx';
import { useUpdateProfile } from './queries.ts';

/** Browsers omit the scheme from a copied address. */
const linkedInWithoutScheme = /^\s*(?:[a-z]+\.)?linkedin\.com\//i;
const check = zodResolver(profileSchema);
const resolver: Resolver<Profile, unknown, Profile> = ({ linkdin, ...values }, context, options) => {
  const isShort = linkdin !== undefined && linkedInWithoutScheme.test(linkdin);
  return check({ ...values, linkdin: isShort ? `https://${linkdin.trim()}` : linkdin }, context, options);
};

type FieldName = keyof Profile;

const names: Record<FieldName, string> = {
  education: 'Education',
  location: 'Location',
  phone: 'Phone',
  linkdin: 'LinkedIn',
  company: 'Company',
  taxNumber: 'Tax number',
  billingAddress: 'Billing address',
  country: 'Country',
};

/** Input survives every error. */
export function ProfileForm({ user }: { user: User }) {
  const { form, update, submit } = useProfileForm(user);
  const isEveryFieldValid = Object.keys(form.formState.errors).length === 0;
  return (
    <section className="pf-panel p-6" aria-labelledby="update-heading">
      <h2 id="update-heading" className="display mb-5 text-h4">
        Update your profile
      </h2>
      {isEveryFieldValid && <UpdateError error={update.error} />}
      <form className="grid gap-5" noValidate onSubmit={submit}>
        <ProfileFields form={form} />
        <CompanyFields form={form} />
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

function useProfileForm({ email, education, location, phone, linkdin, ...facts }: User) {
  const { company = '', taxNumber = '', billingAddress = '', country = '' } = facts;
  const saved: Profile = { education, location, phone, linkdin, company, taxNumber, billingAddress, country };
  const form = useForm<Profile, unknown, Profile>({
    resolver,
    mode: 'onTouched',
    defaultValues: saved,
    values: saved,
    // A reload must not overwrite input.
    resetOptions: { keepDirtyValues: true },
  });
  // Input from before a new sign-in returns as input, not as saved.
  useDraft('profile', email, createFormDraft(form, saved));
  const update = useUpdateProfile(email);
  const once = useSingleFlight();
  const save = async (profile: Profile) => {
    try {
      await update.mutateAsync(profile);
      form.reset(profile);
      toast('success', messages.profileUpdated);
    } catch (error) {
      showFieldErrors(form, error, Object.keys(names) as FieldName[]);
    }
  };
  return { form, update, submit: form.handleSubmit((profile) => once(() => save(profile))) };
}

type Form = UseFormReturn<Profile, unknown, Profile>;

const describeField = (form: Form, name: FieldName) => ({
  label: names[name],
  error: form.formState.errors[name]?.message,
  ...deferBlur(form.register(name)),
});

function ProfileFields({ form }: { form: Form }) {
  return (
    <>
      <Field {...describeField(form, 'education')} />
      <Field autoComplete="address-level2" {...describeField(form, 'location')} />
      <Field type="tel" autoComplete="tel" {...describeField(form, 'phone')} />
      <Field type="url" hint="Such as linkedin.com/in/your-name" {...describeField(form, 'linkdin')} />
    </>
  );
}

const countries = COUNTRIES.map((code) => [code, nameCountry(code)] as const).toSorted(([, a], [, b]) =>
  a.localeCompare(b),
);

/** All optional; later invoices carry them. */
function CompanyFields({ form }: { form: Form }) {
  return (
    <fieldset className="grid gap-5 border-t border-base-300 pt-5">
      <legend className="sr-only">For your invoices</legend>
      <p className="text-sm text-muted">For your next invoices, if you buy for a company:</p>
      <Field autoComplete="organization" {...describeField(form, 'company')} />
      <Field {...describeField(form, 'taxNumber')} />
      <TextArea
        rows={3}
        autoComplete="billing street-address"
        hint="Without it, the delivery address of the order"
        {...describeField(form, 'billingAddress')}
      />
      <SelectField
        autoComplete="billing country"
        options={[['', 'Not given'], ...countries]}
        {...describeField(form, 'country')}
      />
    </fieldset>
  );
}

/** 'No user is logged in' when the session cannot be renewed (specification §8), or the other error. */
export function UpdateError({ error }: { error: Error | null }) {
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

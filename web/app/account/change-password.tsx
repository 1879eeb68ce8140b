import { zodResolver } from '@hookform/resolvers/zod';
import { MIN_ADMIN_PASSWORD, MIN_PASSWORD } from '@parts-forge/contract/calls/bounds';
import { changePasswordSchema, identityRefusals } from '@parts-forge/contract/people/identity-service';
import type { User } from '@parts-forge/contract/people/users';
import { useForm } from 'react-hook-form';
import { deferBlur } from '#app/forms/defer-blur.ts';
import { FormError } from '#app/forms/form-error.tsx';
import { SubmitButton } from '#app/forms/submit-button.tsx';
import { useSingleFlight } from '#app/forms/use-single-flight.ts';
import { Panel } from '#app/ui/panel.tsx';
import { PasswordField } from '#app/ui/password-field.tsx';
import { toast } from '#app/ui/toast.tsx';
import { useChangePassword } from './queries.ts';
import { showServiceError } from './show-service-error.ts';

const resolver = zodResolver(changePasswordSchema);
const emptyForm = { currentPassword: '', newPassword: '' };

const refusedFields = {
  [identityRefusals.wrongPassword]: 'currentPassword',
  [identityRefusals.commonPassword]: 'newPassword',
  [identityRefusals.shortPassword]: 'newPassword',
} as const;

export function ChangePassword({ user: { role } }: { user: Pick<User, 'role'> }) {
  const { form, change, submit } = useChangePasswordForm();
  const { errors } = form.formState;
  const isEveryFieldValid = Object.keys(errors).length === 0;
  const least = role === 'admin' ? MIN_ADMIN_PASSWORD : MIN_PASSWORD;
  return (
    <Panel heading="Password" about="A new password signs you out in every other browser.">
      {isEveryFieldValid && <FormError error={change.error} className="mb-5" advice="Try again." />}
      <form className="grid gap-5" noValidate onSubmit={submit}>
        <PasswordField
          label="Current password"
          autoComplete="current-password"
          required
          error={errors.currentPassword?.message}
          {...deferBlur(form.register('currentPassword'))}
        />
        <PasswordField
          label="New password"
          autoComplete="new-password"
          required
          hint={errors.newPassword ? undefined : `At least ${least} characters`}
          error={errors.newPassword?.message}
          {...deferBlur(form.register('newPassword'))}
        />
        <SubmitButton
          kind="strong"
          error={change.error}
          className="justify-self-start max-sm:w-full"
          busy={change.isPending}
          busyLabel="Changing…"
        >
          Change password
        </SubmitButton>
      </form>
    </Panel>
  );
}

function useChangePasswordForm() {
  const form = useForm({ resolver, mode: 'onTouched', defaultValues: emptyForm });
  const change = useChangePassword();
  const once = useSingleFlight();
  const save = async (passwords: typeof emptyForm) => {
    try {
      await change.mutateAsync(passwords);
      form.reset(emptyForm);
      toast('success', 'Your password is changed. Other browsers are signed out.');
    } catch (error) {
      showServiceError(form, error, refusedFields);
    }
  };
  return { form, change, submit: form.handleSubmit((passwords) => once(() => save(passwords))) };
}

import { zodResolver } from '@hookform/resolvers/zod';
import { MIN_ADMIN_PASSWORD, MIN_PASSWORD } from '@parts-forge/contract/calls/bounds';
import { changePasswordSchema, identityRefusals } from '@parts-forge/contract/people/identity-service';
import type { User } from '@parts-forge/contract/people/users';
import { FormError } from '#app/forms/form-error.tsx';
import { SubmitButton } from '#app/forms/submit-button.tsx';
import { Panel } from '#app/ui/panel.tsx';
import { PasswordField } from '#app/ui/password-field.tsx';
import { toast } from '#app/ui/toast.tsx';
import { useChangePassword } from './queries.ts';
import { useServiceForm } from './use-service-form.ts';

const resolver = zodResolver(changePasswordSchema);
const emptyForm = { currentPassword: '', newPassword: '' };

const refusedFields = {
  [identityRefusals.wrongPassword]: 'currentPassword',
  [identityRefusals.commonPassword]: 'newPassword',
  [identityRefusals.shortPassword]: 'newPassword',
} as const;

export function ChangePassword({ user: { role } }: { user: Pick<User, 'role'> }) {
  const change = useChangePassword();
  const { error, submit, reset, getField } = useServiceForm({
    resolver,
    defaultValues: emptyForm,
    change,
    refusedFields,
    onDone: () => {
      reset(emptyForm);
      toast('success', 'Your password is changed. Other browsers are signed out.');
    },
  });
  const least = role === 'admin' ? MIN_ADMIN_PASSWORD : MIN_PASSWORD;
  return (
    <Panel heading="Password" about="A new password signs you out in every other browser.">
      <FormError error={error} className="mb-5" advice="Try again." />
      <form className="grid gap-5" noValidate onSubmit={submit}>
        <PasswordField
          label="Current password"
          autoComplete="current-password"
          {...getField('currentPassword')}
        />
        <PasswordField
          label="New password"
          autoComplete="new-password"
          {...getField('newPassword', `At least ${least} characters`)}
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

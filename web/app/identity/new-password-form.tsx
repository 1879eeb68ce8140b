import { MIN_PASSWORD } from '@parts-forge/contract/calls/bounds';
import { identityRefusals } from '@parts-forge/contract/people/identity-service';
import { getIdentityCode } from '#app/errors/describe-error.ts';
import { CredentialsForm } from './credentials-form.tsx';

const loadCheck = () => import('./credential-rules.ts').then(({ checkNewPassword }) => checkNewPassword);
const fields = [
  {
    name: 'newPassword',
    label: 'New password',
    type: 'password',
    autoComplete: 'new-password',
    hint: `At least ${MIN_PASSWORD} characters`,
  },
] as const;

/** Shown under the field. */
const passwordRefusals: readonly (string | null)[] = [
  identityRefusals.commonPassword,
  identityRefusals.shortPassword,
];

interface NewPasswordFormProps {
  onSubmit: (newPassword: string) => Promise<void>;
  /** Called for errors that are not about the password. */
  onError: (error: Error) => void;
}

export function NewPasswordForm({ onSubmit, onError }: NewPasswordFormProps) {
  return (
    <CredentialsForm
      fields={fields}
      load={loadCheck}
      submitLabel="Set new password"
      busyLabel="Setting…"
      onSubmit={async ({ newPassword }, refuse) => {
        try {
          await onSubmit(newPassword);
        } catch (error) {
          if (passwordRefusals.includes(getIdentityCode(error))) {
            refuse('newPassword', (error as Error).message);
          } else onError(error as Error);
        }
      }}
    />
  );
}

import { MIN_PASSWORD } from '@parts-forge/contract/bounds';
import { identityRefusals } from '@parts-forge/contract/identity-service';
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

/** Refusals that are about the password that was chosen: their words stand under the field. */
const passwordRefusals: readonly (string | null)[] = [
  identityRefusals.commonPassword,
  identityRefusals.shortPassword,
];

interface NewPasswordFormProps {
  /** Sets the password. What it throws about the password itself is shown under the field. */
  onSubmit: (newPassword: string) => Promise<void>;
  /** Hears of whatever else went wrong. */
  onError: (error: Error) => void;
}

/** The new password of somebody who has opened a link for one. */
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

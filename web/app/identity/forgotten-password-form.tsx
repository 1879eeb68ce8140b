import { CredentialsForm } from './credentials-form.tsx';

const loadCheck = () => import('./credential-rules.ts').then(({ checkEmail }) => checkEmail);
const fields = [{ name: 'email', label: 'Email', type: 'email', autoComplete: 'email' }] as const;

export function ForgottenPasswordForm({ onSubmit }: { onSubmit: (email: string) => Promise<void> }) {
  return (
    <CredentialsForm
      fields={fields}
      load={loadCheck}
      submitLabel="Ask for a new password"
      busyLabel="Asking…"
      onSubmit={({ email }) => onSubmit(email)}
    />
  );
}

import type { ReactNode } from 'react';
import type { Credentials } from '#app/session/identity-client.ts';
import { CredentialsForm } from './credentials-form.tsx';

const loadCheck = () => import('./credential-rules.ts').then(({ checkLogin }) => checkLogin);
const fields = [
  { name: 'email', label: 'Email', type: 'email', autoComplete: 'email' },
  { name: 'password', label: 'Password', type: 'password', autoComplete: 'current-password' },
] as const;

interface LoginFormProps {
  /** A user who has just registered need not type it. */
  email?: string | undefined;
  onSubmit: (credentials: Credentials) => Promise<void>;
  /** Stand under the field of the password. */
  children?: ReactNode;
}

export function LoginForm({ email, onSubmit, children }: LoginFormProps) {
  return (
    <CredentialsForm
      fields={fields}
      load={loadCheck}
      {...(email !== undefined && { initial: { email } })}
      submitLabel="Login"
      busyLabel="Signing in…"
      onSubmit={onSubmit}
    >
      {children}
    </CredentialsForm>
  );
}

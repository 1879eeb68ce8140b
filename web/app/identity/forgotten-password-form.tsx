import { zodResolver } from '@hookform/resolvers/zod';
import { loginSchema } from '@parts-forge/contract/identity';
import * as z from 'zod/mini';
import { CredentialsForm } from './credentials-form.tsx';

const resolver = zodResolver(z.pick(loginSchema, { email: true }));
const fields = [{ name: 'email', label: 'Email', type: 'email', autoComplete: 'email' }] as const;

/** The email of somebody whose password is forgotten. */
export function ForgottenPasswordForm({ onSubmit }: { onSubmit: (email: string) => Promise<void> }) {
  return (
    <CredentialsForm
      fields={fields}
      resolver={resolver}
      submitLabel="Ask for a new password"
      busyLabel="Asking…"
      onSubmit={({ email }) => onSubmit(email)}
    />
  );
}

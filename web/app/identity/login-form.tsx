import { zodResolver } from '@hookform/resolvers/zod';
import { loginSchema } from '@parts-forge/contract/identity';
import type { Credentials } from '#app/session/identity-client.ts';
import { CredentialsForm } from './credentials-form.tsx';

const resolver = zodResolver(loginSchema);
const fields = [
  { name: 'email', label: 'Email', type: 'email', autoComplete: 'email' },
  { name: 'password', label: 'Password', type: 'password', autoComplete: 'current-password' },
] as const;

/** Email and password of somebody registered. */
export function LoginForm({ onSubmit }: { onSubmit: (credentials: Credentials) => Promise<void> }) {
  return (
    <CredentialsForm
      fields={fields}
      resolver={resolver}
      submitLabel="Login"
      busyLabel="Signing in…"
      onSubmit={onSubmit}
    />
  );
}

import { zodResolver } from '@hookform/resolvers/zod';
import { MIN_PASSWORD } from '@parts-forge/contract/bounds';
import { registerSchema } from '@parts-forge/contract/identity';
import type { Credentials } from './identity-client.ts';
import { SignForm } from './sign-form.tsx';

type Registration = Credentials & { name: string };

const resolver = zodResolver(registerSchema);
const fields = [
  { name: 'name', label: 'Name', autoComplete: 'name' },
  { name: 'email', label: 'Email', type: 'email', autoComplete: 'email' },
  {
    name: 'password',
    label: 'Password',
    type: 'password',
    autoComplete: 'new-password',
    hint: `At least ${MIN_PASSWORD} characters`,
  },
] as const;

/** Name, email and password of somebody new. */
export function RegisterForm({ onSend }: { onSend: (person: Registration) => Promise<void> }) {
  return (
    <SignForm fields={fields} resolver={resolver} send="SIGN UP" sending="Signing up…" onSend={onSend} />
  );
}

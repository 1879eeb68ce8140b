import { MIN_PASSWORD } from '@parts-forge/contract/calls/bounds';
import type { Registration } from '#app/session/identity-client.ts';
import { storeInTab } from '#app/session/tab-storage.ts';
import { CredentialsForm } from './credentials-form.tsx';

const loadCheck = () => import('./credential-rules.ts').then(({ checkRegistration }) => checkRegistration);
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

const KEPT_AS = 'register';

export const forgetRegistration = () => storeInTab(KEPT_AS, null);

export function RegisterForm({ onSubmit }: { onSubmit: (person: Registration) => Promise<void> }) {
  return (
    <CredentialsForm
      fields={fields}
      load={loadCheck}
      keptAs={KEPT_AS}
      submitLabel="SIGN UP"
      busyLabel="Signing up…"
      onSubmit={onSubmit}
    />
  );
}

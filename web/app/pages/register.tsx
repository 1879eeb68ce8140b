import { MIN_PASSWORD } from '@parts-forge/contract/calls/bounds';
import { messages } from '@parts-forge/contract/calls/messages';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { CredentialsForm } from '#app/identity/credentials-form.tsx';
import { OtherWay, SignInLayout } from '#app/identity/sign-in-layout.tsx';
import cameraAvif640 from '#app/pictures/rear-triple-camera-640.avif';
import cameraWebp640 from '#app/pictures/rear-triple-camera-640.webp';
import cameraAvif1000 from '#app/pictures/rear-triple-camera-1000.avif';
import cameraWebp1000 from '#app/pictures/rear-triple-camera-1000.webp';
import type { Registration } from '#app/session/identity-client.ts';
import { buildLoginPath, useFromParameter } from '#app/session/return-path.ts';
import { session } from '#app/session/session.ts';
import { storeInTab } from '#app/session/tab-storage.ts';
import { toast } from '#app/ui/toast.tsx';
import { describePage } from './page-meta.ts';

const picture = {
  avif: `${cameraAvif640} 640w, ${cameraAvif1000} 1000w`,
  webp: `${cameraWebp640} 640w, ${cameraWebp1000} 1000w`,
  src: cameraWebp640,
};

const loadCheck = () =>
  import('#app/identity/credential-rules.ts').then(({ checkRegistration }) => checkRegistration);
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

export const meta = describePage({
  title: 'Sign Up',
  description: 'Create an account to order parts by the batch and pay by card.',
  path: '/register',
});

export default function Register() {
  const from = useFromParameter();
  const navigate = useNavigate();
  const [error, setError] = useState<Error | null>(null);
  const loginTo = from ? buildLoginPath(from) : '/login';
  const register = async (person: Registration) => {
    setError(null);
    try {
      await session.signUp(person);
    } catch (cause) {
      setError(cause as Error);
      return;
    }
    storeInTab(KEPT_AS, null);
    toast('success', messages.registered);
    await navigate(loginTo, { state: { email: person.email } });
  };
  return (
    <SignInLayout title="Sign Up" error={error} picture={picture}>
      <CredentialsForm
        fields={fields}
        load={loadCheck}
        keptAs={KEPT_AS}
        submitLabel="SIGN UP"
        busyLabel="Signing up…"
        onSubmit={register}
      />
      <OtherWay before="Already registered? " to={loginTo}>
        Login
      </OtherWay>
    </SignInLayout>
  );
}

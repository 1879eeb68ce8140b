import { messages } from '@parts-forge/contract/calls/messages';
import { lazy, Suspense, useEffect, useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { CredentialsForm } from '#app/identity/credentials-form.tsx';
import { GoogleLogo } from '#app/identity/google-logo.tsx';
import { useGoogleSignIn } from '#app/identity/google-sign-in.ts';
import { OtherWay, SignInLayout } from '#app/identity/sign-in-layout.tsx';
import type { Credentials } from '#app/session/identity-client.ts';
import { parseReturnPath, useFromParameter } from '#app/session/return-path.ts';
import { session, useSession } from '#app/session/session.ts';
import { getButtonClasses } from '#app/ui/button.tsx';
import { useShop } from '#app/ui/shop.tsx';
import { dismissToast } from '#app/ui/toast.tsx';
import { describePage } from './page-meta.ts';

/** Lazy: few accounts have one. */
const SecondFactorStep = lazy(() => import('#app/identity/second-factor-step.tsx'));

const loadCheck = () => import('#app/identity/credential-rules.ts').then(({ checkLogin }) => checkLogin);
const fields = [
  { name: 'email', label: 'Email', type: 'email', autoComplete: 'email' },
  { name: 'password', label: 'Password', type: 'password', autoComplete: 'current-password' },
] as const;

const sessionEnded = 'Your session has ended. Log in again to continue where you left off.';
const loginToOrder = "Log in to order this part. We'll bring you back.";

export const meta = describePage({
  title: 'Login',
  description: 'Sign in to order parts, pay for orders and see where they are.',
  path: '/login',
});

export default function Login() {
  const from = useFromParameter();
  const state = useSession();
  const continueWithGoogle = useGoogleSignIn();
  const [error, setError] = useState<Error | null>(null);
  const [isCodeAsked, setCodeAsked] = useState(false);
  useReturnWhenSignedIn(from, state.status === 'signed-in');
  useEffect(() => session.prepareSignIn(), []);
  const signIn = async (credentials: Credentials) => {
    setError(null);
    await session.signIn(credentials).then((status) => setCodeAsked(status === 'code-asked'), setError);
  };
  const signInWithGoogle = () => {
    setError(null);
    continueWithGoogle().catch(setError);
  };
  if (isCodeAsked) {
    return (
      <SignInLayout title="Second factor" error={error}>
        <Suspense>
          <SecondFactorStep onError={setError} onStartOver={() => setCodeAsked(false)} />
        </Suspense>
      </SignInLayout>
    );
  }
  const hasExpired = state.status === 'signed-out' && state.hasExpired;
  return (
    <SignInLayout
      title="Login"
      error={error}
      information={hasExpired ? sessionEnded : from?.startsWith('/purchase/') ? loginToOrder : null}
    >
      <PasswordStep from={from} signIn={signIn} signInWithGoogle={signInWithGoogle} />
    </SignInLayout>
  );
}

interface PasswordStepProps {
  from: string | null;
  signIn: (credentials: Credentials) => Promise<void>;
  signInWithGoogle: () => void;
}

function PasswordStep({ from, signIn, signInWithGoogle }: PasswordStepProps) {
  const { state } = useLocation() as { state: { email?: string } | null };
  return (
    <>
      <CredentialsForm
        fields={fields}
        load={loadCheck}
        // A user who has just registered need not type it.
        {...(state?.email !== undefined && { initial: { email: state.email } })}
        submitLabel="Login"
        busyLabel="Signing in…"
        onSubmit={signIn}
      >
        <p className="-mt-2 text-sm">
          <Link className="pf-link inline-flex min-h-6 items-center" to="/forgot-password">
            Forgot your password?
          </Link>
        </p>
      </CredentialsForm>
      <div className="divider my-6 text-micro text-muted before:bg-base-300 after:bg-base-300">OR</div>
      <button
        type="button"
        className={getButtonClasses('line', 'action', 'w-full gap-3 text-[0.9375rem] tracking-[0.01em]')}
        onClick={signInWithGoogle}
      >
        <GoogleLogo />
        CONTINUE WITH GOOGLE
      </button>
      <OtherWay
        before={`New to ${useShop().name}? `}
        to={from ? `/register?from=${encodeURIComponent(from)}` : '/register'}
      >
        Create an account
      </OtherWay>
    </>
  );
}

/** Returns to the previous page, or home; also for users who are already signed in. */
function useReturnWhenSignedIn(from: string | null, signedIn: boolean): void {
  const navigate = useNavigate();
  useEffect(() => {
    if (!signedIn) return;
    // This message asks to log in.
    dismissToast(messages.registered);
    void navigate(parseReturnPath(from), { replace: true });
  }, [signedIn, from, navigate]);
}

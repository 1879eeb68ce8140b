import { useEffect, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { GoogleLogo } from '#app/identity/google-logo.tsx';
import { LoginForm } from '#app/identity/login-form.tsx';
import { SignInLayout } from '#app/identity/sign-in-layout.tsx';
import mainboardAvif640 from '#app/pictures/mainboard-640.avif';
import mainboardWebp640 from '#app/pictures/mainboard-640.webp';
import mainboardAvif1000 from '#app/pictures/mainboard-1000.avif';
import mainboardWebp1000 from '#app/pictures/mainboard-1000.webp';
import type { Credentials } from '#app/session/identity-client.ts';
import { parseReturnPath, useFromParameter } from '#app/session/return-path.ts';
import { session, useSession } from '#app/session/session.ts';
import { getButtonClasses } from '#app/ui/button.tsx';
import type { Route } from './+types/login';
import { buildPageMeta } from './page-meta.ts';

const picture = {
  avif: `${mainboardAvif640} 640w, ${mainboardAvif1000} 1000w`,
  webp: `${mainboardWebp640} 640w, ${mainboardWebp1000} 1000w`,
  src: mainboardWebp640,
};

const sessionEnded = 'Your session has ended. Sign in and you return to where you were.';
const loginToOrder = 'Log in to order this part. You return to it.';

export function meta({ matches }: Route.MetaArgs) {
  return buildPageMeta({
    title: 'Login',
    description: 'Sign in to order parts, pay for orders and see where they are.',
    path: '/login',
    origin: matches[0].loaderData?.origin,
  });
}

export default function Login() {
  const from = useFromParameter();
  const state = useSession();
  const [error, setError] = useState<Error | null>(null);
  useReturnWhenSignedIn(from, state.status === 'signed-in');
  const signIn = async (credentials: Credentials) => {
    setError(null);
    await session.signIn(credentials).catch(setError);
  };
  const signInWithGoogle = () => {
    setError(null);
    session.signInWithGoogle().catch(setError);
  };
  const hasExpired = state.status === 'signed-out' && state.hasExpired;
  return (
    <SignInLayout
      title="Login"
      error={error}
      information={hasExpired ? sessionEnded : from?.startsWith('/purchase/') ? loginToOrder : null}
      picture={picture}
    >
      <LoginForm onSubmit={signIn} />
      <div className="divider my-6 text-micro text-muted before:bg-base-300 after:bg-base-300">OR</div>
      <button
        type="button"
        className={getButtonClasses('line', 'action', 'w-full gap-3 text-[0.9375rem] tracking-[0.01em]')}
        onClick={signInWithGoogle}
      >
        <GoogleLogo />
        CONTINUE WITH GOOGLE
      </button>
      <p className="mt-8 text-muted">
        New to Parts Forge?{' '}
        <Link
          className="pf-link inline-flex min-h-8 items-center font-semibold text-base-content"
          to={from ? `/register?from=${encodeURIComponent(from)}` : '/register'}
        >
          Create an account
        </Link>
      </p>
    </SignInLayout>
  );
}

/** Back to where one came from, or home; also for somebody who is signed in already. */
function useReturnWhenSignedIn(from: string | null, signedIn: boolean): void {
  const navigate = useNavigate();
  useEffect(() => {
    if (signedIn) void navigate(parseReturnPath(from), { replace: true });
  }, [signedIn, from, navigate]);
}

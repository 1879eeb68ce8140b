import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { useContact } from '#app/identity/contact.ts';
import { ForgottenPasswordForm } from '#app/identity/forgotten-password-form.tsx';
import { SignInLayout } from '#app/identity/sign-in-layout.tsx';
import { session } from '#app/session/session.ts';
import { Banner } from '#app/ui/banner.tsx';
import { focusHeading } from '#app/ui/focus-heading.ts';
import type { Route } from './+types/forgot-password';
import { mainboardPicture } from './mainboard-picture.ts';
import { buildPageMeta } from './page-meta.ts';

export function meta({ matches }: Route.MetaArgs) {
  return buildPageMeta({
    title: 'Forgotten password',
    description: 'How to get a new password for your account.',
    path: '/forgot-password',
    root: matches[0].loaderData,
  });
}

/** The service answers the same with and without an account. */
export default function ForgotPassword() {
  const { contactEmail, mail } = useContact();
  const [error, setError] = useState<Error | null>(null);
  const [answer, setAnswer] = useState<string | null>(null);
  const ask = async (email: string) => {
    setError(null);
    await session.requestPasswordReset(email).then(setAnswer, setError);
  };
  useEffect(() => {
    // The form is gone, and the focus with it.
    if (answer !== null) focusHeading();
  }, [answer]);
  return (
    <SignInLayout title="Forgotten password" error={error} picture={mainboardPicture}>
      {answer === null ? (
        <>
          <p className="mt-4 text-muted">
            {mail
              ? 'Enter the email of your account to get a link to a new password.'
              : 'Enter the email of your account. The administrators of the shop see your request, and one of them gives you a link to a new password.'}
          </p>
          <ForgottenPasswordForm onSubmit={ask} />
        </>
      ) : (
        <Banner kind="info" className="mt-6">
          {answer} The link works once, for an hour. {!mail && <WayToAdministrator email={contactEmail} />}
        </Banner>
      )}
      <p className="mt-8 text-muted">
        <Link
          className="pf-link inline-flex min-h-8 items-center font-semibold text-base-content"
          to="/login"
        >
          Back to Login
        </Link>
      </p>
    </SignInLayout>
  );
}

/** Without mail, a customer who is locked out writes to the shop. */
function WayToAdministrator({ email }: { email: string | null }) {
  if (email === null) return <>The address of the shop stands at the foot of this page.</>;
  return (
    <>
      Write to{' '}
      <a className="pf-link font-semibold [overflow-wrap:anywhere]" href={`mailto:${email}`}>
        {email}
      </a>
      .
    </>
  );
}

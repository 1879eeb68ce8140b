import { useEffect, useState } from 'react';
import { CredentialsForm } from '#app/identity/credentials-form.tsx';
import { OtherWay, SignInLayout } from '#app/identity/sign-in-layout.tsx';
import { session } from '#app/session/session.ts';
import { Banner } from '#app/ui/banner.tsx';
import { focusHeading } from '#app/ui/focus-heading.ts';
import { usePageSettings } from '#app/ui/shop.tsx';
import { describePage } from './page-meta.ts';

export const meta = describePage({
  title: 'Forgotten password',
  description: 'How to get a new password for your account.',
  path: '/forgot-password',
});

const loadCheck = () => import('#app/identity/credential-rules.ts').then(({ checkEmail }) => checkEmail);
const fields = [{ name: 'email', label: 'Email', type: 'email', autoComplete: 'email' }] as const;

/** The service answers the same with and without an account. */
export default function ForgotPassword() {
  const { contactEmail, mail } = usePageSettings();
  const [error, setError] = useState<Error | null>(null);
  const [answer, setAnswer] = useState<string | null>(null);
  const ask = async ({ email }: { email: string }) => {
    setError(null);
    await session.requestPasswordReset(email).then(setAnswer, setError);
  };
  useEffect(() => {
    // The form is gone, and the focus with it.
    if (answer !== null) focusHeading();
  }, [answer]);
  return (
    <SignInLayout title="Forgotten password" error={error}>
      {answer === null ? (
        <>
          <p className="mt-4 text-muted">
            {mail
              ? 'Enter the email of your account to get a link to a new password.'
              : 'Enter the email of your account. The administrators of the shop see your request, and one of them gives you a link to a new password.'}
          </p>
          <CredentialsForm
            fields={fields}
            load={loadCheck}
            submitLabel="Ask for a new password"
            busyLabel="Asking…"
            onSubmit={ask}
          />
        </>
      ) : (
        <Banner kind="info" className="mt-6">
          {answer} The link works once, for an hour. {!mail && <WayToAdministrator email={contactEmail} />}
        </Banner>
      )}
      <OtherWay to="/login">Back to Login</OtherWay>
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

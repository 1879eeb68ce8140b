import { verificationPagePath } from '@parts-forge/contract/people/email-verification';
import { Link } from 'react-router';
import { DeadLink, SignInLayout } from '#app/identity/sign-in-layout.tsx';
import { useVerificationToken } from '#app/identity/verification-token.ts';
import { VerifyEmail } from '#app/identity/verify-email.tsx';
import { NotFoundPage } from '#app/layout/not-found-page.tsx';
import { buildLoginPath } from '#app/session/return-path.ts';
import { useSession } from '#app/session/session.ts';
import { getButtonClasses } from '#app/ui/button.tsx';
import { usePageSettings } from '#app/ui/shop.tsx';
import { describePage } from './page-meta.ts';

export const meta = describePage({
  title: 'Confirm your address',
  description: 'Confirm your email address with the link from our mail.',
  path: verificationPagePath,
  isHidden: true,
});

/**
 * Verifies the address for the signed-in user: the link proves a mailbox, not an account (docs/explanation/mail.md,
 * "Proving an address").
 */
export default function VerifyEmailPage() {
  const token = useVerificationToken();
  const session = useSession();
  if (!usePageSettings().selfService) return <NotFoundPage />;
  return (
    <SignInLayout title="Confirm your address" error={null}>
      {token === null ? (
        <DeadLink>This link is incomplete. Open it again as you received it.</DeadLink>
      ) : session.status === 'signed-in' ? (
        <VerifyEmail email={session.user.email} token={token} />
      ) : (
        session.status === 'signed-out' && <LogInFirst />
      )}
    </SignInLayout>
  );
}

function LogInFirst() {
  return (
    <>
      <p className="mt-4 text-muted">Log in to the account whose address you confirm. The link waits here.</p>
      <p className="mt-6">
        <Link className={getButtonClasses('primary')} to={buildLoginPath(verificationPagePath)}>
          Log in to confirm
        </Link>
      </p>
    </>
  );
}

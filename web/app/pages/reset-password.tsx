import { identityRefusals } from '@parts-forge/contract/people/identity-service';
import { type ReactNode, useState } from 'react';
import { useNavigate } from 'react-router';
import { getIdentityCode } from '#app/errors/describe-error.ts';
import { useLinkToken } from '#app/identity/link-token.ts';
import { NewPasswordForm } from '#app/identity/new-password-form.tsx';
import { OtherWay, SignInLayout } from '#app/identity/sign-in-layout.tsx';
import { NotFoundPage } from '#app/layout/not-found-page.tsx';
import { resetPassword } from '#app/session/reset-password.ts';
import { session } from '#app/session/session.ts';
import { Banner } from '#app/ui/banner.tsx';
import { usePageSettings } from '#app/ui/shop.tsx';
import { toast } from '#app/ui/toast.tsx';
import { mainboardPicture } from './mainboard-picture.ts';
import { describePage } from './page-meta.ts';

export const meta = describePage({
  title: 'New password',
  description: 'Set a new password with the link that you received.',
  path: '/reset-password',
  isHidden: true,
});

/** The page of a password link. Its token is in the fragment, which servers and referrers never see. */
export default function ResetPassword() {
  const token = useLinkToken();
  const navigate = useNavigate();
  const [error, setError] = useState<Error | null>(null);
  if (!usePageSettings().selfService) return <NotFoundPage />;
  const isDead = getIdentityCode(error) === identityRefusals.deadResetLink;
  const reset = async (newPassword: string) => {
    setError(null);
    await resetPassword(token ?? '', newPassword);
    // The reset ends every session.
    if (session.hasAccessToken()) await session.signOut();
    toast('success', 'Your new password is set. Log in with it.');
    // Back must not return to the used link.
    await navigate('/login', { replace: true });
  };
  return (
    <SignInLayout title="New password" error={isDead ? null : error} picture={mainboardPicture}>
      {isDead ? (
        <DeadLink>This link was already used or has expired. Ask for a new one.</DeadLink>
      ) : token === null ? (
        <DeadLink>This link is incomplete. Open it again as you received it.</DeadLink>
      ) : (
        <NewPasswordForm onSubmit={reset} onError={setError} />
      )}
    </SignInLayout>
  );
}

function DeadLink({ children }: { children: ReactNode }) {
  return (
    <>
      <Banner kind="alarm" className="mt-6">
        {children}
      </Banner>
      <OtherWay to="/forgot-password">Ask for a new password</OtherWay>
    </>
  );
}

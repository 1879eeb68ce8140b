import { MIN_PASSWORD } from '@parts-forge/contract/calls/bounds';
import { identityRefusals } from '@parts-forge/contract/people/identity-service';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { getIdentityCode } from '#app/errors/describe-error.ts';
import { CredentialsForm } from '#app/identity/credentials-form.tsx';
import { useLinkToken } from '#app/identity/link-token.ts';
import { DeadLink, OtherWay, SignInLayout } from '#app/identity/sign-in-layout.tsx';
import type { RefuseField } from '#app/identity/use-checked-form.ts';
import { NotFoundPage } from '#app/layout/not-found-page.tsx';
import { resetPassword } from '#app/session/reset-password.ts';
import { session } from '#app/session/session.ts';
import { usePageSettings } from '#app/ui/shop.tsx';
import { toast } from '#app/ui/toast.tsx';
import { describePage } from './page-meta.ts';

export const meta = describePage({
  title: 'New password',
  description: 'Set a new password with the link that you received.',
  path: '/reset-password',
  isHidden: true,
});

const loadCheck = () =>
  import('#app/identity/credential-rules.ts').then(({ checkNewPassword }) => checkNewPassword);
const fields = [
  {
    name: 'newPassword',
    label: 'New password',
    type: 'password',
    autoComplete: 'new-password',
    hint: `At least ${MIN_PASSWORD} characters`,
  },
] as const;

/** Shown under the field. */
const passwordRefusals: readonly (string | null)[] = [
  identityRefusals.commonPassword,
  identityRefusals.shortPassword,
];

interface Entries {
  newPassword: string;
}

/** The page of a password link. Its token is in the fragment, which servers and referrers never see. */
export default function ResetPassword() {
  const token = useLinkToken();
  const navigate = useNavigate();
  const [error, setError] = useState<Error | null>(null);
  if (!usePageSettings().selfService) return <NotFoundPage />;
  const isDead = getIdentityCode(error) === identityRefusals.deadResetLink;
  const reset = async ({ newPassword }: Entries) => {
    await resetPassword(token ?? '', newPassword);
    // The reset ends every session.
    if (session.hasAccessToken()) await session.signOut();
    toast('success', 'Your new password is set. Log in with it.');
    // Back must not return to the used link.
    await navigate('/login', { replace: true });
  };
  const submit = (entries: Entries, refuse: RefuseField<Entries>) => {
    setError(null);
    return reset(entries).catch((failure: Error) => {
      if (passwordRefusals.includes(getIdentityCode(failure))) refuse('newPassword', failure.message);
      else setError(failure);
    });
  };
  const deadLink = isDead
    ? 'This link was already used or has expired. Ask for a new one.'
    : token === null && 'This link is incomplete. Open it again as you received it.';
  return (
    <SignInLayout title="New password" error={isDead ? null : error}>
      {deadLink ? (
        <>
          <DeadLink>{deadLink}</DeadLink>
          <OtherWay to="/forgot-password">Ask for a new password</OtherWay>
        </>
      ) : (
        <CredentialsForm
          fields={fields}
          load={loadCheck}
          submitLabel="Set new password"
          busyLabel="Setting…"
          onSubmit={submit}
        />
      )}
    </SignInLayout>
  );
}

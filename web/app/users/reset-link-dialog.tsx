import { RESET_LINK_SECONDS } from '@parts-forge/contract/calls/bounds';
import type { User } from '@parts-forge/contract/people/users';
import { FormError } from '#app/forms/form-error.tsx';
import { ConfirmDialog } from '#app/ui/dialog.tsx';
import { SecretDialog } from '#app/ui/secret-dialog.tsx';
import { useCreateResetLink } from './queries.ts';

/** The link is shown only once. */
export function ResetLinkDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const creation = useCreateResetLink();
  if (creation.data)
    return (
      <SecretDialog
        title={
          <>
            Reset link for <bdi>{user.name}</bdi>
          </>
        }
        name="link"
        secret={creation.data.url}
        lost="another link replaces it."
        onClose={onClose}
      >
        <p className="mt-4 text-sm">{`It works once and expires in ${describeHours(RESET_LINK_SECONDS)}.`}</p>
      </SecretDialog>
    );
  return (
    <ConfirmDialog
      title={
        <>
          Create a reset link for <bdi>{user.name}</bdi>?
        </>
      }
      safe="Not now"
      confirm="Create a reset link"
      kind="primary"
      busy={creation.isPending}
      busyLabel="Creating the link…"
      failure={creation.error}
      onClose={onClose}
      onConfirm={() => creation.mutate(user.email)}
    >
      <FormError error={creation.error} className="mb-4 text-base-content" advice="Try again." />
      <p className="[overflow-wrap:anywhere]">
        The link sets a new password for {user.email}, so give it to that person alone. An earlier link no
        longer works.
      </p>
    </ConfirmDialog>
  );
}

const describeHours = (seconds: number) => (seconds === 3600 ? 'one hour' : `${seconds / 3600} hours`);

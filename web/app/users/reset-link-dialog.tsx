import { RESET_LINK_SECONDS } from '@parts-forge/contract/bounds';
import type { User } from '@parts-forge/contract/users';
import { describeError } from '#app/errors/describe-error.ts';
import { FormError } from '#app/forms/form-error.tsx';
import { Button } from '#app/ui/button.tsx';
import { CopyTextButton } from '#app/ui/copy-button.tsx';
import { ConfirmDialog, Dialog } from '#app/ui/dialog.tsx';
import { Field } from '#app/ui/field.tsx';
import { useCreateResetLink } from './queries.ts';

/** The link is shown only once. */
export function ResetLinkDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const creation = useCreateResetLink();
  if (creation.data) return <MadeLink name={user.name} url={creation.data.url} onClose={onClose} />;
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
      {creation.error && (
        <FormError error={creation.error} className="mb-4 text-base-content">
          {describeError(creation.error)} Try again.
        </FormError>
      )}
      <p className="[overflow-wrap:anywhere]">
        The link sets a new password for {user.email}, so give it to that person alone. An earlier link no
        longer works.
      </p>
    </ConfirmDialog>
  );
}

interface MadeLinkProps {
  name: string;
  url: string;
  onClose: () => void;
}

function MadeLink({ name, url, onClose }: MadeLinkProps) {
  return (
    <Dialog
      title={
        <>
          Reset link for <bdi>{name}</bdi>
        </>
      }
      onClose={onClose}
      actions={
        <>
          <CopyTextButton name="link" text={url} />
          <Button kind="line" size="bar" data-focus-first onClick={onClose}>
            Close
          </Button>
        </>
      }
    >
      <div className="text-base-content">
        <Field
          label="Link"
          readOnly
          value={url}
          hint={`It is shown only now, works once and expires in ${describeHours(RESET_LINK_SECONDS)}.`}
          onFocus={(event) => event.target.select()}
        />
      </div>
    </Dialog>
  );
}

const describeHours = (seconds: number) => (seconds === 3600 ? 'one hour' : `${seconds / 3600} hours`);

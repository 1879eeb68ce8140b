import { RESET_LINK_SECONDS } from '@parts-forge/contract/bounds';
import type { User } from '@parts-forge/contract/users';
import { describeError } from '#app/errors/describe-error.ts';
import { FormError } from '#app/forms/form-error.tsx';
import { Button } from '#app/ui/button.tsx';
import { CopyTextButton } from '#app/ui/copy-button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { Field } from '#app/ui/field.tsx';
import { useCreateResetLink } from './queries.ts';

/** The link is shown only once. */
export function ResetLinkDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const creation = useCreateResetLink();
  const close = () => {
    if (!creation.isPending) onClose();
  };
  if (creation.data) return <MadeLink name={user.name} url={creation.data.url} onClose={onClose} />;
  return (
    <Dialog
      title={
        <>
          Create a reset link for <bdi>{user.name}</bdi>?
        </>
      }
      onClose={close}
      actions={
        <>
          <Button kind="line" data-focus-first onClick={close}>
            Not now
          </Button>
          <Button
            kind="primary"
            busy={creation.isPending}
            busyLabel="Creating the link…"
            onClick={() => creation.mutate(user.email)}
          >
            Create a reset link
          </Button>
        </>
      }
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
    </Dialog>
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

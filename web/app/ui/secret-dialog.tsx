import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { CopyTextButton } from './copy-button.tsx';
import { Dialog } from './dialog.tsx';

interface SecretDialogProps {
  title: ReactNode;
  /** What the secret is called in the texts: 'key'. */
  name: string;
  secret: string;
  /** What to do when it is lost. */
  lost: string;
  children?: ReactNode;
  /** Beside the button that closes. */
  action?: ReactNode;
  onClose: () => void;
}

/** Only its buttons close it, as the secret is not shown again. */
export function SecretDialog({ title, name, secret, lost, children, action, onClose }: SecretDialogProps) {
  return (
    <Dialog
      title={title}
      actions={
        <>
          {action}
          <Button kind="primary" onClick={onClose}>
            I have copied it
          </Button>
        </>
      }
    >
      <p>Copy it now. It is not shown again; {lost}</p>
      <code
        translate="no"
        className="my-4 block rounded-field border border-edge bg-base-200 px-3 py-2.5 text-sm text-base-content [overflow-wrap:anywhere]"
      >
        {secret}
      </code>
      <CopyTextButton name={name} text={secret} />
      {children}
    </Dialog>
  );
}

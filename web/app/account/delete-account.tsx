import { canBeManaged } from '@parts-forge/contract/calls/policies';
import type { User } from '@parts-forge/contract/people/users';
import { useState } from 'react';
import { Button } from '#app/ui/button.tsx';
import { Panel } from '#app/ui/panel.tsx';
import { useOnline } from '#app/ui/use-online.ts';
import { DeleteAccountDialog } from './delete-account-dialog.tsx';

export function DeleteAccount({ user }: { user: User }) {
  const [isAsked, setAsked] = useState(false);
  const online = useOnline();
  if (!canBeManaged(user.role)) {
    return (
      <Panel
        heading="Delete account"
        about="An administrator's account cannot be deleted. Another administrator can make you a user first."
      >
        {null}
      </Panel>
    );
  }
  return (
    <Panel
      heading="Delete account"
      about="Your profile and your reviews are erased and you are signed out everywhere. Paid orders stay as the law asks."
    >
      <Button kind="danger-line" className="max-sm:w-full" disabled={!online} onClick={() => setAsked(true)}>
        Delete account
      </Button>
      {isAsked && <DeleteAccountDialog email={user.email} onClose={() => setAsked(false)} />}
    </Panel>
  );
}

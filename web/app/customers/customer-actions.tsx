import { canBeManaged } from '@parts-forge/contract/calls/policies';
import type { User } from '@parts-forge/contract/people/users';
import { sameEmail } from '@parts-forge/contract/text/text';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { toastError } from '#app/errors/toast-error.ts';
import { useSignedInUser } from '#app/identity/signed-in-user.ts';
import { Button } from '#app/ui/button.tsx';
import { useOnline } from '#app/ui/use-online.ts';
import { ActOnUser, type UserAct } from '#app/users/act-on-user.tsx';

/**
 * Administrators can lose the role, except oneself and the last one; users can be promoted or deleted
 * (specification §4).
 */
export function CustomerActions({ user }: { user: User }) {
  const { email: ownEmail } = useSignedInUser();
  const [act, setAct] = useState<UserAct | null>(null);
  const online = useOnline();
  const navigate = useNavigate();
  const manageable = canBeManaged(user.role);
  if (!manageable && sameEmail(user.email, ownEmail)) return null;
  return (
    <div className="flex gap-3 max-sm:w-full">
      <Button
        kind="line"
        size="bar"
        className="bg-base-100 max-sm:flex-1"
        disabled={!online}
        onClick={() => setAct(manageable ? 'make-admin' : 'make-user')}
      >
        {manageable ? 'Make Admin' : 'Make user'}
      </Button>
      {manageable && (
        <Button
          kind="danger-line"
          size="bar"
          className="bg-base-100 max-sm:flex-1"
          disabled={!online}
          onClick={() => setAct('delete')}
        >
          Delete
        </Button>
      )}
      {act && (
        <ActOnUser
          act={act}
          user={user}
          // The page of a deleted user is gone.
          onDone={() => act === 'delete' && navigate('/dashboard/manage-users', { replace: true })}
          onError={toastError}
          onClose={() => setAct(null)}
        />
      )}
    </div>
  );
}

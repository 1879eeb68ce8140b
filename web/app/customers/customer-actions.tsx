import { canBeManaged } from '@parts-forge/contract/policies';
import { sameEmail } from '@parts-forge/contract/text';
import type { User } from '@parts-forge/contract/users';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { describeError } from '#app/errors/describe-error.ts';
import { Button } from '#app/ui/button.tsx';
import { toast } from '#app/ui/toast.tsx';
import { useOnline } from '#app/ui/use-online.ts';
import { useChangeRole, useDeleteUser } from '#app/users/queries.ts';
import { actMessages, type UserAct } from '#app/users/user-acts.ts';
import { UserQuestion } from '#app/users/user-question.tsx';

type Act = Exclude<UserAct, 'reset-link'>;

/**
 * What an administrator may do to somebody, each after a question: an administrator is made a user, never by themselves
 * and never the last one; others are made administrator or removed (specification §4).
 */
export function CustomerActions({ user, ownEmail }: { user: User; ownEmail: string }) {
  const [act, setAct] = useState<Act | null>(null);
  const online = useOnline();
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
      {act && <ActOnCustomer act={act} user={user} onClose={() => setAct(null)} />}
    </div>
  );
}

/** Asks, and does it. Whoever was removed has no page any more. */
function ActOnCustomer({ act, user, onClose }: { act: Act; user: User; onClose: () => void }) {
  const roleChange = useChangeRole();
  const removal = useDeleteUser();
  const navigate = useNavigate();
  const callbacks = {
    onSuccess: () => {
      toast('success', actMessages[act]);
      if (act === 'delete') void navigate('/dashboard/manage-users', { replace: true });
    },
    onError: (error: Error) => toast('error', describeError(error)),
    onSettled: onClose,
  };
  const confirm = () => {
    if (act === 'delete') removal.mutate(user.email, callbacks);
    else roleChange.mutate({ email: user.email, role: act === 'make-admin' ? 'admin' : 'user' }, callbacks);
  };
  return (
    <UserQuestion
      act={act}
      user={user}
      busy={roleChange.isPending || removal.isPending}
      onClose={onClose}
      onConfirm={confirm}
    />
  );
}

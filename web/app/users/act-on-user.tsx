import { messages } from '@parts-forge/contract/calls/messages';
import type { User } from '@parts-forge/contract/people/users';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ConfirmDialog } from '#app/ui/dialog.tsx';
import { toast } from '#app/ui/toast.tsx';
import { madeWebhooksQueryOptions, useChangeRole, useDeleteUser } from './queries.ts';

/** An administrator confirms each of these. */
export type UserAct = 'make-admin' | 'make-user' | 'delete';

interface ActOnUserProps {
  act: UserAct;
  user: User;
  onDone?: () => void;
  onError: (error: Error) => void;
  onClose: () => void;
}

export function ActOnUser({ act, user, onDone, onError, onClose }: ActOnUserProps) {
  const roleChange = useChangeRole();
  const removal = useDeleteUser();
  const { email } = user;
  const { title, consequence, done, ...question } = questions[act];
  const callbacks = {
    onSuccess: () => {
      toast('success', done);
      onDone?.();
    },
    onError,
    onSettled: onClose,
  };
  const confirm = () => {
    if (act === 'delete') removal.mutate(email, callbacks);
    else roleChange.mutate({ email, role: act === 'make-admin' ? 'admin' : 'user' }, callbacks);
  };
  return (
    <ConfirmDialog
      {...question}
      title={title(<bdi>{user.name}</bdi>)}
      busy={roleChange.isPending || removal.isPending}
      onClose={onClose}
      onConfirm={confirm}
    >
      <p className="[overflow-wrap:anywhere]">
        {email} {consequence}
      </p>
      {act === 'make-user' && <StoppedWebhooks of={user} />}
    </ConfirmDialog>
  );
}

/** Named before the role ends, as their receivers are told nothing more. */
function StoppedWebhooks({ of: { _id } }: { of: User }) {
  const { data: webhooks = [], error } = useQuery(madeWebhooksQueryOptions(_id));
  if (error) return <p>Webhooks that this person made stop, too.</p>;
  if (webhooks.length === 0) return null;
  return (
    <>
      <p>These webhooks stop, unless you take them over first (Connections):</p>
      <ul className="list-disc pl-5 [overflow-wrap:anywhere]">
        {webhooks.map((webhook) => (
          <li key={webhook._id}>{webhook.url}</li>
        ))}
      </ul>
    </>
  );
}

interface Question {
  kind: 'primary' | 'danger';
  title: (name: ReactNode) => ReactNode;
  safe: string;
  confirm: string;
  busyLabel: string;
  /** Follows the user's address. */
  consequence: string;
  done: string;
}

const questions: Record<UserAct, Question> = {
  'make-admin': {
    kind: 'primary',
    title: (name) => <>Make {name} an admin?</>,
    safe: 'Keep as user',
    confirm: 'Make Admin',
    busyLabel: 'Making admin…',
    consequence: 'can then accept payments, cancel orders, manage users and change the product list.',
    done: messages.madeAdmin,
  },
  'make-user': {
    kind: 'danger',
    title: (name) => <>Make {name} a user?</>,
    safe: 'Keep as admin',
    confirm: 'Make user',
    busyLabel: 'Making user…',
    consequence: 'can then order and pay, and no longer sees the pages of administrators.',
    done: 'Made user',
  },
  delete: {
    kind: 'danger',
    title: (name) => <>Delete {name}?</>,
    safe: 'Keep user',
    confirm: 'Delete user',
    busyLabel: 'Deleting…',
    consequence:
      'is signed out everywhere and can no longer sign in. Orders already placed stay in the order list.',
    done: messages.userRemoved,
  },
};

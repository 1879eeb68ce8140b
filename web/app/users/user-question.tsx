import type { User } from '@parts-forge/contract/users';
import { ConfirmDialog } from '#app/ui/dialog.tsx';
import type { UserAct } from './user-acts.ts';

interface UserQuestionProps {
  act: Exclude<UserAct, 'reset-link'>;
  user: User;
  busy: boolean;
  onClose: () => void;
  onConfirm: () => void;
}

/** Asks before something is done to somebody. */
export function UserQuestion({ act, user, ...rest }: UserQuestionProps) {
  switch (act) {
    case 'make-admin':
      return (
        <ConfirmDialog
          {...rest}
          kind="primary"
          title={
            <>
              Make <bdi>{user.name}</bdi> an admin?
            </>
          }
          safe="Keep as user"
          confirm="Make Admin"
          busyLabel="Making admin…"
        >
          <p className="[overflow-wrap:anywhere]">
            {user.email} can then accept payments, cancel orders, manage users and change the product list.
          </p>
        </ConfirmDialog>
      );
    case 'make-user':
      return (
        <ConfirmDialog
          {...rest}
          title={
            <>
              Make <bdi>{user.name}</bdi> a user?
            </>
          }
          safe="Keep as admin"
          confirm="Make user"
          busyLabel="Making user…"
        >
          <p className="[overflow-wrap:anywhere]">
            {user.email} can then order and pay, and no longer sees the pages of administrators.
          </p>
        </ConfirmDialog>
      );
    case 'delete':
      return (
        <ConfirmDialog
          {...rest}
          title={
            <>
              Delete <bdi>{user.name}</bdi>?
            </>
          }
          safe="Keep user"
          confirm="Delete user"
          busyLabel="Deleting…"
        >
          <p className="[overflow-wrap:anywhere]">
            {user.email} is signed out everywhere and can no longer sign in. Orders already placed stay in the
            order list.
          </p>
        </ConfirmDialog>
      );
  }
}

import { messages } from '@parts-forge/contract/messages';
import { canBeManaged } from '@parts-forge/contract/policies';
import { sameEmail } from '@parts-forge/contract/text';
import type { User } from '@parts-forge/contract/users';
import { ShieldCheck, UserRound } from 'lucide';
import { Link } from 'react-router';
import type { RowNotices } from '#app/dashboard/use-row-notices.tsx';
import { Button } from '#app/ui/button.tsx';
import { EmailText } from '#app/ui/email-text.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { type Column, Table } from '#app/ui/table.tsx';
import { useOnline } from '#app/ui/use-online.ts';
import type { UserAct } from './act-on-user.tsx';

interface UserActions {
  onAct: (act: UserAct | 'reset-link', user: User) => void;
  /** Whether the shop creates reset links itself. */
  hasResetLinks: boolean;
}

interface UsersTableProps extends UserActions {
  users: readonly User[];
  /** The rows still belong to the previous search. */
  busy: boolean;
  notices: Pick<RowNotices<User>, 'render'>;
  /** Administrators cannot demote themselves. */
  ownEmail: string;
}

/**
 * An administrator cannot be removed or promoted (specification §4, "User role"), only demoted, next to their
 * role.
 */
export function UsersTable({ users, busy, notices, ownEmail, ...actions }: UsersTableProps) {
  const columns: Column<User>[] = [
    { head: 'Name', cell: (user) => <NameWithAvatar user={user} /> },
    { head: 'Email', cell: (user) => <EmailText email={user.email} /> },
    {
      head: 'Role',
      cell: (user) => (
        <span className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <RoleText role={user.role} />
          {user.role === 'admin' && !sameEmail(user.email, ownEmail) && (
            <MakeUser user={user} onAct={actions.onAct} />
          )}
        </span>
      ),
    },
    {
      head: 'Action',
      actions: true,
      cell: (user) =>
        canBeManaged(user.role) ? (
          <RowActions user={user} {...actions} />
        ) : (
          <span className="note block py-2 text-sm text-muted">{messages.cannotTakeAction}</span>
        ),
    },
  ];
  return (
    <Table
      caption="All users, newest first"
      busy={busy}
      columns={columns}
      rows={users}
      getKey={(user) => user._id}
      renderNotice={(user) => notices.render(user, <bdi>{user.name}</bdi>)}
    />
  );
}

/** Links to the person's page. */
function NameWithAvatar({ user: { name, email } }: { user: User }) {
  return (
    <span className="flex items-center gap-3">
      <span className="grid size-10 shrink-0 place-items-center rounded-full border border-base-300 bg-base-200 text-muted">
        <Icon of={UserRound} />
      </span>
      <Link
        className="min-w-0 hover:text-primary hover:underline [overflow-wrap:anywhere]"
        to={`/dashboard/customers/${encodeURIComponent(email)}`}
      >
        <bdi>{name}</bdi>
      </Link>
    </span>
  );
}

function RowActions({ user, onAct, hasResetLinks }: UserActions & { user: User }) {
  const act = { user, onAct };
  return (
    <span className="acts flex flex-wrap justify-end gap-2">
      <ActButton {...act} act="make-admin" label={`Make Admin: ${user.name}`}>
        Make Admin
      </ActButton>
      {hasResetLinks && (
        <ActButton {...act} act="reset-link" label={`Reset link: ${user.name}`}>
          Reset link
        </ActButton>
      )}
      <ActButton {...act} act="delete" label={`Delete user ${user.name}`} kind="danger-line">
        Delete
      </ActButton>
    </span>
  );
}

const MakeUser = ({ user, onAct }: Pick<UserActions, 'onAct'> & { user: User }) => (
  <ActButton user={user} onAct={onAct} act="make-user" label={`Make user: ${user.name}`}>
    Make user
  </ActButton>
);

interface ActButtonProps extends Pick<UserActions, 'onAct'> {
  user: User;
  act: UserAct | 'reset-link';
  /** Names the person, as every row has the same buttons. */
  label: string;
  kind?: 'line' | 'danger-line';
  children: string;
}

function ActButton({ user, act, onAct, label, kind = 'line', children }: ActButtonProps) {
  const online = useOnline();
  return (
    <Button
      kind={kind}
      size="row"
      className="whitespace-nowrap"
      aria-label={label}
      disabled={!online}
      onClick={() => onAct(act, user)}
    >
      {children}
    </Button>
  );
}

function RoleText({ role }: { role: User['role'] }) {
  return role === 'admin' ? (
    <span className="inline-flex items-center gap-2 font-medium">
      <Icon of={ShieldCheck} className="size-4 text-primary" />
      admin
    </span>
  ) : (
    <span className="text-muted">user</span>
  );
}

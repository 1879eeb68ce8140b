import { messages } from '@parts-forge/contract/messages';
import { canBeManaged } from '@parts-forge/contract/policies';
import type { User } from '@parts-forge/contract/users';
import { ShieldCheck, UserRound } from 'lucide-react';
import type { RowNotices } from '#app/dashboard/use-row-notices.tsx';
import { Button } from '#app/ui/button.tsx';
import { EmailText } from '#app/ui/email-text.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { type Column, Table } from '#app/ui/table.tsx';
import { useOnline } from '#app/ui/use-online.ts';

interface UserActions {
  onMakeAdmin: (user: User) => void;
  onDelete: (user: User) => void;
}

interface UsersTableProps extends UserActions {
  users: readonly User[];
  /** Whether the rows are still of the search before. */
  busy: boolean;
  notices: Pick<RowNotices<User>, 'render'>;
}

/** Everybody. Nothing can be done to administrators (specification §4, "User role"). */
export function UsersTable({ users, busy, notices, ...actions }: UsersTableProps) {
  const columns: Column<User>[] = [
    { head: 'Name', cell: (user) => <NameWithAvatar name={user.name} /> },
    { head: 'Email', cell: (user) => <EmailText email={user.email} /> },
    { head: 'Role', cell: (user) => <RoleText role={user.role} /> },
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
      renderNotice={(user) => notices.render(user, user.name)}
    />
  );
}

function NameWithAvatar({ name }: { name: string }) {
  return (
    <span className="flex items-center gap-3">
      <span className="grid size-10 shrink-0 place-items-center rounded-full border border-base-300 bg-base-200 text-muted">
        <Icon of={UserRound} />
      </span>
      <span className="min-w-0 [overflow-wrap:anywhere]">{name}</span>
    </span>
  );
}

function RowActions({ user, onMakeAdmin, onDelete }: UserActions & { user: User }) {
  const online = useOnline();
  return (
    <span className="acts flex justify-end gap-2">
      <Button
        kind="line"
        size="row"
        aria-label={`Make Admin: ${user.name}`}
        disabled={!online}
        onClick={() => onMakeAdmin(user)}
      >
        Make Admin
      </Button>
      <Button
        kind="danger-line"
        size="row"
        aria-label={`Delete user ${user.name}`}
        disabled={!online}
        onClick={() => onDelete(user)}
      >
        Delete
      </Button>
    </span>
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

import { messages } from '@parts-forge/contract/calls/messages';
import { canBeManaged } from '@parts-forge/contract/calls/policies';
import type { User } from '@parts-forge/contract/people/users';
import { sameEmail } from '@parts-forge/contract/text/text';
import { ShieldCheck, UserRound } from 'lucide';
import type { RowNotices } from '#app/dashboard/use-row-notices.tsx';
import { RowMenu } from '#app/rows/row-menu.tsx';
import { type WorkColumn, WorkTable } from '#app/rows/work-table.tsx';
import { Button } from '#app/ui/button.tsx';
import { formatMoment } from '#app/ui/format-moment.ts';
import { Icon } from '#app/ui/icon.tsx';
import { usePageSettings } from '#app/ui/shop.tsx';
import { useOnline } from '#app/ui/use-online.ts';
import type { UserAct } from './act-on-user.tsx';
import { CustomerLink } from './customer-link.tsx';

interface UsersTableProps {
  onAct: (act: UserAct | 'reset-link', user: User) => void;
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
export function UsersTable({ users, busy, notices, ownEmail, onAct }: UsersTableProps) {
  const columns: WorkColumn<User>[] = [
    { head: 'Name', place: 'part', cell: (user) => <NameWithAvatar user={user} /> },
    {
      head: 'Email',
      place: 'email',
      cell: ({ email }) => (
        <span className="line" title={email}>
          {email}
        </span>
      ),
    },
    { head: 'Role', place: 'role', cell: ({ role }) => <RoleText role={role} /> },
    {
      head: 'Action',
      place: 'act',
      cell: (user) => <RowActions user={user} isOwn={sameEmail(user.email, ownEmail)} onAct={onAct} />,
    },
  ];
  return (
    <WorkTable
      kind="users"
      caption="All users, newest first"
      busy={busy}
      columns={columns}
      rows={users}
      nameRow={({ name }) => name}
      renderNotice={(user) => notices.render(user, <bdi>{user.name}</bdi>)}
    />
  );
}

const NameWithAvatar = ({ user }: { user: User }) => (
  <span>
    <span className="grid size-8 shrink-0 place-items-center rounded-full border border-base-300 bg-base-200 text-muted">
      <Icon of={UserRound} className="size-4" />
    </span>
    <span>
      <CustomerLink {...user} />
      {user.passwordAskedAt && (
        <span className="sub">Waits for a link since {formatMoment(user.passwordAskedAt)}</span>
      )}
      {user.taxToCheck && <span className="sub">Tax to check: the company changed</span>}
    </span>
  </span>
);

function RowActions({ user, isOwn, onAct }: Omit<ActButtonProps, 'act'> & { isOwn: boolean }) {
  // Else the identity service makes them.
  const { selfService: hasResetLinks } = usePageSettings();
  const act = { user, onAct };
  const isWaiting = hasResetLinks && user.passwordAskedAt !== undefined;
  if (!canBeManaged(user.role)) {
    return (
      <span className="items-center">
        <span className="text-sm text-muted">{messages.cannotTakeAction}</span>
        {!isOwn && (
          <RowMenu label={user.name}>
            <ActItem {...act} act="make-user" />
          </RowMenu>
        )}
      </span>
    );
  }
  return (
    <span>
      <ActButton {...act} act={isWaiting ? 'reset-link' : 'make-admin'} />
      <RowMenu label={user.name}>
        {hasResetLinks && <ActItem {...act} act={isWaiting ? 'make-admin' : 'reset-link'} />}
        <ActItem {...act} act="delete" isDanger />
      </RowMenu>
    </span>
  );
}

interface ActButtonProps extends Pick<UsersTableProps, 'onAct'> {
  user: User;
  act: UserAct | 'reset-link';
}

/** With the beginning of a label that names the person, as every row has the same buttons. */
const names = {
  'make-admin': { name: 'Make Admin', label: 'Make Admin:' },
  'make-user': { name: 'Make user', label: 'Make user:' },
  'reset-link': { name: 'Reset link', label: 'Reset link:' },
  delete: { name: 'Delete', label: 'Delete user' },
};

function ActButton({ user, act, onAct }: ActButtonProps) {
  const online = useOnline();
  const { name, label } = names[act];
  return (
    <Button
      kind="line"
      size="row"
      aria-label={`${label} ${user.name}`}
      disabled={!online}
      onClick={() => onAct(act, user)}
    >
      {name}
    </Button>
  );
}

/** In a row's menu. */
function ActItem({ user, act, onAct, isDanger = false }: ActButtonProps & { isDanger?: boolean }) {
  const online = useOnline();
  const { name, label } = names[act];
  return (
    <button
      type="button"
      className={isDanger ? 'text-error' : ''}
      aria-label={`${label} ${user.name}`}
      disabled={!online}
      onClick={() => onAct(act, user)}
    >
      {name}
    </button>
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

import { messages } from '@parts-forge/contract/messages';
import type { User } from '@parts-forge/contract/users';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Users } from 'lucide-react';
import { useState } from 'react';
import { PageHeading } from '#app/dashboard/page-heading.tsx';
import { PagedList } from '#app/dashboard/paged-list.tsx';
import { useRowNotices } from '#app/dashboard/use-row-notices.tsx';
import { useSearchText } from '#app/dashboard/use-search-text.ts';
import { Button } from '#app/ui/button.tsx';
import { ConfirmDialog } from '#app/ui/dialog.tsx';
import { Notice } from '#app/ui/notice.tsx';
import { SearchField } from '#app/ui/search-field.tsx';
import { TableSkeleton } from '#app/ui/table-skeleton.tsx';
import { toast } from '#app/ui/toast.tsx';
import { useDeleteUser, useMakeAdmin, userListQueryOptions } from './queries.ts';
import { UsersTable } from './users-table.tsx';

/** Make Admin: everybody, with what an administrator may do to those who are none. */
export function ManageUsers() {
  const [q, setQ] = useSearchText();
  const { data: total } = useInfiniteQuery({
    ...userListQueryOptions(q),
    select: ({ pages }) => pages[0]?.total,
  });
  return (
    <>
      <PageHeading
        title="Make Admin"
        heading="Manage All Users"
        actions={
          <div className="flex flex-wrap items-center gap-4 max-sm:w-full">
            <p className="num text-sm text-muted" role="status">
              {total && `${total} ${total === '1' ? 'user' : 'users'}`}
            </p>
            <SearchField label="Search name or email" value={q} onSearch={setQ} />
          </div>
        }
      />
      <UserList q={q} onClear={() => setQ('')} />
    </>
  );
}

/** What is being asked about whom. */
interface Question {
  about: 'make-admin' | 'delete';
  user: User;
}

function UserList({ q, onClear }: { q: string; onClear: () => void }) {
  const list = useInfiniteQuery({ ...userListQueryOptions(q), placeholderData: keepPreviousData });
  const [question, setQuestion] = useState<Question | null>(null);
  const notices = useRowNotices<User>();
  const promotion = useMakeAdmin();
  const removal = useDeleteUser();
  const confirm = ({ about, user }: Question) => {
    const change = about === 'delete' ? removal : promotion;
    change.mutate(user.email, {
      onSuccess: () => toast('success', about === 'delete' ? messages.userRemoved : messages.madeAdmin),
      onError: (error) => notices.add(user, error),
      onSettled: () => setQuestion(null),
    });
  };
  return (
    <>
      <PagedList
        list={list}
        what="The users"
        skeleton={<TableSkeleton cells={['long', 'short', 'long']} rows={6} />}
        mapRows={notices.withNotices}
        empty={<NobodyMatches onClear={onClear} />}
      >
        {(users) => (
          <UsersTable
            users={users}
            busy={list.isPlaceholderData}
            onMakeAdmin={(user) => setQuestion({ about: 'make-admin', user })}
            onDelete={(user) => setQuestion({ about: 'delete', user })}
            notices={notices}
          />
        )}
      </PagedList>
      {question && (
        <QuestionDialog
          {...question}
          busy={promotion.isPending || removal.isPending}
          onClose={() => setQuestion(null)}
          onConfirm={() => confirm(question)}
        />
      )}
    </>
  );
}

function NobodyMatches({ onClear }: { onClear: () => void }) {
  return (
    <Notice
      icon={Users}
      title="Nobody matches"
      action={
        <Button kind="line" onClick={onClear}>
          Show all users
        </Button>
      }
    >
      Search for a shorter part of the name or the email.
    </Notice>
  );
}

interface QuestionDialogProps extends Question {
  busy: boolean;
  onClose: () => void;
  onConfirm: () => void;
}

function QuestionDialog({ about, user, ...rest }: QuestionDialogProps) {
  return about === 'delete' ? (
    <ConfirmDialog
      {...rest}
      title={`Delete ${user.name}?`}
      safe="Keep user"
      confirm="Delete user"
      busyLabel="Deleting…"
    >
      <p className="[overflow-wrap:anywhere]">
        {user.email} is signed out everywhere and can no longer sign in. Orders already placed stay in the
        order list.
      </p>
    </ConfirmDialog>
  ) : (
    <ConfirmDialog
      {...rest}
      kind="primary"
      title={`Make ${user.name} an admin?`}
      safe="Keep as user"
      confirm="Make Admin"
      busyLabel="Making admin…"
    >
      <p className="[overflow-wrap:anywhere]">
        {user.email} can then accept payments, cancel orders, manage users and change the product list. This
        cannot be taken back here.
      </p>
    </ConfirmDialog>
  );
}

import type { User } from '@parts-forge/contract/people/users';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Users } from 'lucide';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { NoMatch } from '#app/dashboard/no-match.tsx';
import { PageHeading } from '#app/dashboard/page-heading.tsx';
import { PagedList } from '#app/dashboard/paged-list.tsx';
import { useRowNotices } from '#app/dashboard/use-row-notices.tsx';
import { useSearchText } from '#app/dashboard/use-search-text.ts';
import { SearchField } from '#app/ui/search-field.tsx';
import { usePageSettings } from '#app/ui/shop.tsx';
import { Tabs } from '#app/ui/tabs.tsx';
import { WorkSkeleton } from '#app/ui/work-skeleton.tsx';
import { ActOnUser, type UserAct } from './act-on-user.tsx';
import { userListQueryOptions } from './queries.ts';
import { ResetLinkDialog } from './reset-link-dialog.tsx';
import { UsersTable } from './users-table.tsx';

/** Make Admin: all users, with an administrator's actions. */
export function ManageUsers({ ownEmail }: { ownEmail: string }) {
  const [q, setQ] = useSearchText();
  const isAsked = useSearchParams()[0].get('asked') === 'true';
  const { data: total } = useInfiniteQuery({
    ...userListQueryOptions(q, isAsked),
    select: ({ pages }) => pages[0]?.total,
  });
  return (
    <>
      <PageHeading
        title="Make Admin"
        heading="Manage All Users"
        actions={
          <div className="flex flex-wrap items-center gap-4 max-sm:w-full">
            <p className="num text-sm text-muted" aria-live="polite" aria-atomic="true">
              {total && `${total} ${total === '1' ? 'user' : 'users'}`}
            </p>
            <Link className="pf-link inline-flex min-h-8 items-center font-semibold" to="/dashboard/mail">
              Mail
            </Link>
            <SearchField label="Search name or email" value={q} onSearch={setQ} />
          </div>
        }
      />
      {usePageSettings().selfService && <LinkTabs isAsked={isAsked} />}
      <UserList ownEmail={ownEmail} q={q} isAsked={isAsked} />
    </>
  );
}

function LinkTabs({ isAsked }: { isAsked: boolean }) {
  const { data: waiting } = useInfiniteQuery({
    ...userListQueryOptions('', true),
    select: ({ pages }) => pages[0]?.total,
  });
  return (
    <Tabs
      label="Users"
      parameter="asked"
      now={isAsked ? 'true' : ''}
      tabs={[
        { value: '', name: 'All' },
        {
          value: 'true',
          name: 'Waiting for a link',
          count: waiting === undefined ? waiting : Number(waiting),
        },
      ]}
    />
  );
}

interface Question {
  act: UserAct | 'reset-link';
  user: User;
}

interface UserListProps {
  /** The signed-in administrator's. */
  ownEmail: string;
  q: string;
  /** Only those who wait for a password link. */
  isAsked: boolean;
}

function UserList({ q, isAsked, ownEmail }: UserListProps) {
  const list = useInfiniteQuery(userListQueryOptions(q, isAsked));
  const [question, setQuestion] = useState<Question | null>(null);
  const notices = useRowNotices<User>();
  const close = () => setQuestion(null);
  return (
    <>
      <PagedList
        list={list}
        what="The users"
        skeleton={<WorkSkeleton />}
        mapRows={notices.withNotices}
        empty={
          <NoMatch icon={Users} title={isAsked ? 'Nobody waits for a link' : 'Nobody matches'} what="users">
            {!isAsked && 'Search for a shorter part of the name or the email.'}
          </NoMatch>
        }
      >
        {(users) => (
          <UsersTable
            users={users}
            busy={list.isPlaceholderData}
            ownEmail={ownEmail}
            onAct={(act, user) => setQuestion({ act, user })}
            notices={notices}
          />
        )}
      </PagedList>
      {question?.act === 'reset-link' && <ResetLinkDialog user={question.user} onClose={close} />}
      {question && question.act !== 'reset-link' && (
        <ActOnUser
          act={question.act}
          user={question.user}
          onError={(error) => notices.add(question.user, error)}
          onClose={close}
        />
      )}
    </>
  );
}

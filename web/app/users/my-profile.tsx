import { useQuery } from '@tanstack/react-query';
import { PageHeading } from '#app/dashboard/page-heading.tsx';
import { QueryPanel } from '#app/dashboard/query-panel.tsx';
import { Skeleton } from '#app/ui/skeleton.tsx';
import { ProfileDetails } from './profile-details.tsx';
import { ProfileForm } from './profile-form.tsx';
import { userQueryOptions } from './queries.ts';

/** My Profile: what the shop knows, and the form that changes it. */
export function MyProfile({ email }: { email: string }) {
  const profile = useQuery(userQueryOptions(email));
  return (
    <>
      <PageHeading title="My Profile" />
      <QueryPanel query={profile} what="Your profile" skeleton={<PanelsSkeleton />}>
        {(user) => (
          <div className="grid items-start gap-6 xl:grid-cols-2">
            <ProfileDetails user={user} />
            <ProfileForm user={user} />
          </div>
        )}
      </QueryPanel>
    </>
  );
}

function PanelsSkeleton() {
  return (
    <div className="grid items-start gap-6 xl:grid-cols-2" aria-busy="true">
      <p className="sr-only" role="status">
        Loading…
      </p>
      <Skeleton className="h-[23rem] w-full !rounded-box max-sm:h-[30rem]" />
      <Skeleton className="h-[34rem] w-full !rounded-box" />
    </div>
  );
}

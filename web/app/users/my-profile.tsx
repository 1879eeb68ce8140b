import { useQuery } from '@tanstack/react-query';
import { useChargesTax } from '#app/calls/shop-config.ts';
import { PageHeading } from '#app/dashboard/page-heading.tsx';
import { PanelsSkeleton, QueryPanel } from '#app/dashboard/query-panel.tsx';
import { ProfileDetails } from './profile-details.tsx';
import { ProfileForm } from './profile-form.tsx';
import { userQueryOptions } from './queries.ts';

export function MyProfile({ email }: { email: string }) {
  const profile = useQuery(userQueryOptions(email));
  const chargesTax = useChargesTax();
  return (
    <>
      <PageHeading title="My Profile" />
      <QueryPanel
        query={profile}
        what="Your profile"
        skeleton={
          <PanelsSkeleton
            className="items-start xl:grid-cols-2"
            heights={['h-[23.7rem] max-sm:h-[32.7rem]', 'h-[66rem]']}
          />
        }
      >
        {(user) => (
          <div className="grid items-start gap-6 xl:grid-cols-2">
            <ProfileDetails user={user} chargesTax={chargesTax} />
            <ProfileForm user={user} />
          </div>
        )}
      </QueryPanel>
    </>
  );
}

import type { User } from '@parts-forge/contract/people/users';
import { useQuery } from '@tanstack/react-query';
import { prefetchOwn } from '#app/calls/prefetch.ts';
import { PageHeading } from '#app/dashboard/page-heading.tsx';
import { PanelsSkeleton, QueryPanel } from '#app/dashboard/query-panel.tsx';
import { useSignedInUser } from '#app/identity/signed-in-user.ts';
import { usePageSettings } from '#app/ui/shop.tsx';
import { ProfileDetails } from '#app/users/profile-details.tsx';
import { ProfileForm } from '#app/users/profile-form.tsx';
import { userQueryOptions } from '#app/users/queries.ts';
import { AddressPanel } from './address-panel.tsx';
import { ChangePassword } from './change-password.tsx';
import { DeleteAccount } from './delete-account.tsx';
import { GooglePassword } from './google-password.tsx';
import { MyData } from './my-data.tsx';
import { hasOnlyGoogleQueryOptions } from './queries.ts';
import { SecondFactor } from './second-factor.tsx';
import { Sessions } from './sessions.tsx';

export const clientLoader = () => prefetchOwn(userQueryOptions);

export default function MyProfile() {
  const profile = useQuery(userQueryOptions(useSignedInUser().email));
  const { selfService } = usePageSettings();
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
          <>
            <div className="grid items-start gap-6 xl:grid-cols-2">
              <ProfileDetails user={user} />
              <ProfileForm user={user} />
            </div>
            {selfService && <AccountPanels user={user} />}
          </>
        )}
      </QueryPanel>
    </>
  );
}

function AccountPanels({ user }: { user: User }) {
  const { email, role } = user;
  const { data: hasOnlyGoogle = false } = useQuery(hasOnlyGoogleQueryOptions(email));
  return (
    <div className="mt-6 grid items-start gap-6 xl:grid-cols-2">
      {hasOnlyGoogle ? <GooglePassword user={user} /> : <ChangePassword user={user} />}
      <AddressPanel email={email} />
      <Sessions email={email} />
      {role === 'admin' && <SecondFactor email={email} />}
      <MyData email={email} />
      <DeleteAccount user={user} />
    </div>
  );
}

import { useQuery } from '@tanstack/react-query';
import { AccountPanels } from '#app/account/account-panels.tsx';
import { prefetchOwn } from '#app/calls/prefetch.ts';
import { useSelfService } from '#app/identity/self-service.ts';
import { useSignedInUser } from '#app/identity/signed-in-user.ts';
import { MyProfile } from '#app/users/my-profile.tsx';
import { userQueryOptions } from '#app/users/queries.ts';

export const clientLoader = () => prefetchOwn(userQueryOptions);

export default function MyProfilePage() {
  const { email } = useSignedInUser();
  const { data: user } = useQuery(userQueryOptions(email));
  const selfService = useSelfService();
  return (
    <>
      <MyProfile email={email} />
      {selfService && user && <AccountPanels user={user} />}
    </>
  );
}

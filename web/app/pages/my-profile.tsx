import { useQuery } from '@tanstack/react-query';
import { AccountPanels } from '#app/account/account-panels.tsx';
import { queryClient } from '#app/calls/query-client.ts';
import { useSelfService } from '#app/identity/self-service.ts';
import { useSignedInUser } from '#app/identity/signed-in-user.ts';
import { session } from '#app/session/session.ts';
import { MyProfile } from '#app/users/my-profile.tsx';
import { userQueryOptions } from '#app/users/queries.ts';

export async function clientLoader() {
  const state = await session.resolve();
  if (state.status === 'signed-in') void queryClient.prefetchQuery(userQueryOptions(state.user.email));
  return null;
}

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

import { prefetch } from '#app/calls/prefetch.ts';
import { useSignedInUser } from '#app/identity/signed-in-user.ts';
import { readSearchText } from '#app/ui/search-text.ts';
import { ManageUsers } from '#app/users/manage-users.tsx';
import { userListQueryOptions } from '#app/users/queries.ts';
import type { Route } from './+types/manage-users';

export function clientLoader({ request }: Route.ClientLoaderArgs) {
  const search = new URL(request.url).searchParams;
  return prefetch(userListQueryOptions(readSearchText(search), search.get('asked') === 'true'));
}

export default function ManageUsersPage() {
  const { email } = useSignedInUser();
  return <ManageUsers ownEmail={email} />;
}

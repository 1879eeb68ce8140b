import { requireAdmin } from '#app/identity/guards.ts';
import { queryClient } from '#app/query-client.ts';
import { ManageUsers } from '#app/users/manage-users.tsx';
import { allUsers } from '#app/users/queries.ts';
import type { Route } from './+types/manage-users';

export const clientMiddleware = [requireAdmin];

/** Starts the list that the address asks for; the page shows it as it comes. */
export function clientLoader({ request }: Route.ClientLoaderArgs) {
  const q = (new URL(request.url).searchParams.get('q') ?? '').trim().slice(0, 120);
  void queryClient.prefetchInfiniteQuery(allUsers(q));
  return null;
}

export default function ManageUsersPage() {
  return <ManageUsers />;
}

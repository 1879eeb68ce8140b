import { queryClient } from '#app/calls/query-client.ts';
import { pagePolicies } from '#app/dashboard/page-policies.ts';
import { requirePermission } from '#app/identity/guards.ts';
import { MailList } from '#app/mail/mail-list.tsx';
import { mailListQueryOptions } from '#app/mail/queries.ts';

export const clientMiddleware = [requirePermission(pagePolicies.mail)];

/** Starts the list; the page shows it as it comes. */
export function clientLoader() {
  void queryClient.prefetchInfiniteQuery(mailListQueryOptions());
  return null;
}

export default function MailPage() {
  return <MailList />;
}

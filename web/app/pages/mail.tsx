import { queryClient } from '#app/calls/query-client.ts';
import { MailList } from '#app/mail/mail-list.tsx';
import { mailListQueryOptions } from '#app/mail/queries.ts';

/** Starts the list; the page shows it as it comes. */
export function clientLoader() {
  void queryClient.prefetchInfiniteQuery(mailListQueryOptions());
  return null;
}

export default function MailPage() {
  return <MailList />;
}

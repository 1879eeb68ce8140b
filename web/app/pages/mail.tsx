import { queryClient } from '#app/calls/query-client.ts';
import { MailList } from '#app/mail/mail-list.tsx';
import { mailListQueryOptions } from '#app/mail/queries.ts';

export function clientLoader() {
  void queryClient.prefetchInfiniteQuery(mailListQueryOptions());
  return null;
}

export default function MailPage() {
  return <MailList />;
}

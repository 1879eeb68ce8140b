import { queryClient } from '#app/calls/query-client.ts';
import { mailListQueryOptions } from '#app/mail/queries.ts';

export function clientLoader() {
  void queryClient.prefetchInfiniteQuery(mailListQueryOptions());
  return null;
}

export { MailList as default } from '#app/mail/mail-list.tsx';

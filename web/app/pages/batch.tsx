import { Batch } from '#app/batch-page/batch.tsx';
import { batchQueryOptions } from '#app/batch-page/queries.ts';
import { queryClient } from '#app/calls/query-client.ts';
import { useSignedInUser } from '#app/identity/signed-in-user.ts';
import { session } from '#app/session/session.ts';

export async function clientLoader() {
  const state = await session.resolve();
  if (state.status === 'signed-in') void queryClient.prefetchQuery(batchQueryOptions());
  return null;
}

export default function BatchPage() {
  const { email } = useSignedInUser();
  return <Batch email={email} />;
}

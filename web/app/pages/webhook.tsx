import { queryClient } from '#app/calls/query-client.ts';
import { deliveriesQueryOptions } from '#app/connections/queries.ts';
import { WebhookPage } from '#app/connections/webhook-page.tsx';
import type { Route } from './+types/webhook';

export function clientLoader({ params }: Route.ClientLoaderArgs) {
  void queryClient.prefetchQuery(deliveriesQueryOptions(params.id));
  return null;
}

export default function Webhook({ params }: Route.ComponentProps) {
  return <WebhookPage id={params.id} />;
}

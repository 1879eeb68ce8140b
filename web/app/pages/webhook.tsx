import { WebhookPage } from '#app/connections/webhook-page.tsx';
import type { Route } from './+types/webhook';

export default function Webhook({ params }: Route.ComponentProps) {
  return <WebhookPage id={params.id} />;
}

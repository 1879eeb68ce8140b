import { PlacedBatch } from '#app/batch-page/placed-batch.tsx';
import { useSignedInUser } from '#app/identity/signed-in-user.ts';
import type { Route } from './+types/batch-placed';

export default function BatchPlacedPage({ params }: Route.ComponentProps) {
  const { email } = useSignedInUser();
  return <PlacedBatch email={email} batch={params.id} />;
}

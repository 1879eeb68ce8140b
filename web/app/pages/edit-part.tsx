import { queryClient } from '#app/calls/query-client.ts';
import { configQueryOptions } from '#app/calls/shop-config.ts';
import { EditPart } from '#app/products/edit/edit-part.tsx';
import { productQueryOptions } from '#app/products/queries.ts';
import type { Route } from './+types/edit-part';

export function clientLoader({ params }: Route.ClientLoaderArgs) {
  void queryClient.prefetchQuery(productQueryOptions(params.id));
  void queryClient.prefetchQuery(configQueryOptions());
  return null;
}

export default function EditPartPage({ params }: Route.ComponentProps) {
  return <EditPart id={params.id} />;
}

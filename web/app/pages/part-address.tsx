import { partPath } from '@parts-forge/contract/part-rules';
import type { Product } from '@parts-forge/contract/products';
import { data, redirect } from 'react-router';
import { NotFoundPage } from '#app/layout/not-found-page.tsx';
import { serverContext } from '#app/server-context.ts';
import type { Route } from './+types/part-address';

/** The address of a part without its name, as QR codes have it: it stays when the name changes. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const { call } = context.get(serverContext);
  const response = await call(`/product/${encodeURIComponent(params.id)}`);
  if (!response.ok) throw data(null, { status: response.status });
  const { data: part }: { data?: Product } = await response.json();
  // `/product/facets` is no part.
  if (!part) throw data(null, { status: 404 });
  throw redirect(partPath(part), 301);
}

/** Never shown: the loader leads on or refuses. */
export default function PartAddress() {
  return <NotFoundPage />;
}

import { partPath } from '@parts-forge/contract/part-rules';
import type { Product } from '@parts-forge/contract/products';
import { data, redirect } from 'react-router';
import { NotFoundPage } from '#app/layout/not-found-page.tsx';
import { serverContext } from '#app/server-context.ts';
import type { Route } from './+types/part-address';

/** The address without the part's name, as in QR codes: it survives a rename. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const { call } = context.get(serverContext);
  const response = await call(`/product/${encodeURIComponent(params.id)}`);
  if (!response.ok) throw data(null, { status: response.status });
  const { data: part }: { data?: Product } = await response.json();
  // `/product/facets` is no part.
  if (!part) throw data(null, { status: 404 });
  throw redirect(partPath(part), 301);
}

/** Never rendered: the loader redirects or refuses. */
export default function PartAddress() {
  return <NotFoundPage />;
}

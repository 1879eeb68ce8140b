import { prefetch } from '#app/calls/prefetch.ts';
import { productListQueryOptions, readManagedFilter } from '#app/products/queries.ts';
import { readSearchText } from '#app/ui/search-text.ts';
import type { Route } from './+types/manage-products';

export function clientLoader({ request }: Route.ClientLoaderArgs) {
  const { searchParams } = new URL(request.url);
  return prefetch(productListQueryOptions(readSearchText(searchParams), readManagedFilter(searchParams)));
}

export { ManageProducts as default } from '#app/products/manage/manage-products.tsx';

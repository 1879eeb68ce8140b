import { queryClient } from '#app/calls/query-client.ts';
import { configQueryOptions } from '#app/calls/shop-config.ts';

export function clientLoader() {
  void queryClient.prefetchQuery(configQueryOptions());
  return null;
}

export { AddProduct as default } from '#app/products/manage/add-product.tsx';

import { queryClient } from '#app/calls/query-client.ts';
import { configQueryOptions } from '#app/calls/shop-config.ts';
import { AddProduct } from '#app/products/manage/add-product.tsx';

export function clientLoader() {
  void queryClient.prefetchQuery(configQueryOptions());
  return null;
}

export default function AddProductPage() {
  return <AddProduct />;
}

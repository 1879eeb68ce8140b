import { queryClient } from '#app/calls/query-client.ts';
import { productQueryOptions } from '#app/products/queries.ts';
import { StockLedger } from '#app/stock/stock-ledger.tsx';
import type { Route } from './+types/stock-ledger';

export function clientLoader({ params }: Route.ClientLoaderArgs) {
  void queryClient.prefetchQuery(productQueryOptions(params.id));
  return null;
}

export default function StockLedgerPage({ params }: Route.ComponentProps) {
  return <StockLedger id={params.id} />;
}

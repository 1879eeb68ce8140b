import { queryClient } from '#app/calls/query-client.ts';
import { pagePolicies } from '#app/dashboard/page-policies.ts';
import { requirePermission } from '#app/identity/guards.ts';
import { productQueryOptions } from '#app/products/queries.ts';
import { StockLedger } from '#app/stock/stock-ledger.tsx';
import type { Route } from './+types/stock-ledger';

export const clientMiddleware = [requirePermission(pagePolicies['manage-products'])];

/** Starts reading the part; its ledger follows. */
export function clientLoader({ params }: Route.ClientLoaderArgs) {
  void queryClient.prefetchQuery(productQueryOptions(params.id));
  return null;
}

export default function StockLedgerPage({ params }: Route.ComponentProps) {
  return <StockLedger id={params.id} />;
}

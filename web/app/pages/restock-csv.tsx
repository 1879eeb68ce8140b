import { pagePolicies } from '#app/dashboard/page-policies.ts';
import { requirePermission } from '#app/identity/guards.ts';
import { RestockCsv } from '#app/stock/restock-csv.tsx';

export const clientMiddleware = [requirePermission(pagePolicies['restock-csv'])];

/** Nothing to read; it makes the middleware run on the first load too. */
export function clientLoader() {
  return null;
}

export default function RestockCsvPage() {
  return <RestockCsv />;
}

import { RestockCsv } from '#app/stock/restock-csv.tsx';

/** Nothing to read; it makes the middleware run on the first load too. */
export function clientLoader() {
  return null;
}

export default function RestockCsvPage() {
  return <RestockCsv />;
}

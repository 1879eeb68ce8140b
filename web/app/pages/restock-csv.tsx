import { RestockCsv } from '#app/stock/restock-csv.tsx';

/** Makes the middleware run on the first load, too. */
export function clientLoader() {
  return null;
}

export default function RestockCsvPage() {
  return <RestockCsv />;
}

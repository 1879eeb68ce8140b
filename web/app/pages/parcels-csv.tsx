import { ParcelsByCsv } from '#app/orders/clerk/parcels-by-csv.tsx';

/** Makes the middleware run on the first load, too. */
export function clientLoader() {
  return null;
}

export default function ParcelsCsvPage() {
  return <ParcelsByCsv />;
}

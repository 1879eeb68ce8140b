import { useSearchParams } from 'react-router';
import { PackingSlips } from '#app/orders/pick-list/packing-slip.tsx';
import { readPickFilter } from '#app/orders/pick-list/pick-list-filter.ts';

export default function PackingSlipsPage() {
  const [search] = useSearchParams();
  return <PackingSlips filter={readPickFilter(search)} />;
}

import { readInstead } from '@parts-forge/contract/products/instead';
import type { Product } from '@parts-forge/contract/products/products';
import { useQuery } from '@tanstack/react-query';
import { callShop } from '#app/calls/api-client.ts';
import { queryClient } from '#app/calls/query-client.ts';
import { useShopTimeZone } from '#app/calls/shop-config.ts';
import { describeExpected } from '../instead/expected-day.ts';
import { InsteadList } from '../instead/instead-list.tsx';

interface PartInsteadProps {
  product: Product;
  isGone: boolean;
  /** More pieces than can be ordered. */
  wanted: number;
}

/** Says when more of a part is expected and lists parts that fit instead, if the shop knows either. */
export default function PartInstead({ product, isGone, wanted }: PartInsteadProps) {
  const { _id, quantity } = product;
  // The part's page is outside the client's provider.
  const read = useQuery(
    {
      // A changed stock reads it again, as those of others may have changed, too.
      queryKey: ['products', 'instead', _id, quantity, isGone, wanted],
      queryFn: ({ signal }) => {
        const query = { quantity: String(wanted) };
        return callShop(readInstead, { params: { id: _id }, query, signal, whenSignedOut: 'stay' });
      },
      placeholderData: (before) => (before?.data.product._id === _id ? before : undefined),
    },
    queryClient,
  );
  const expected = describeExpected(product, useShopTimeZone());
  const day = isGone ? null : expected;
  return (
    <div aria-live="polite" className="grid gap-3 empty:hidden">
      {day && <p className="text-sm">More is expected on {day}.</p>}
      {read.data && <InsteadList product={product} instead={read.data.data.instead} wanted={wanted} />}
    </div>
  );
}

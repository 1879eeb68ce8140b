import { formatCount, formatPieces } from '@parts-forge/contract/money/money';
import { listOrders } from '@parts-forge/contract/orders/orders';
import { isAvailable } from '@parts-forge/contract/products/part-rules';
import type { Product } from '@parts-forge/contract/products/products';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { BATCH_PATH } from '#app/batch/browser-batch.ts';
import { useBatch } from '#app/batch/use-batch.ts';
import { callList } from '#app/calls/api-client.ts';
import { queryClient } from '#app/calls/query-client.ts';
import { useShopTimeZone } from '#app/calls/shop-config.ts';
import { barAtFoot } from '#app/ui/bar-at-foot.ts';
import { Button } from '#app/ui/button.tsx';
import { userQueryOptions } from '#app/users/queries.ts';
import { describeExpected } from '../instead/expected-day.ts';

interface LabelBarProps {
  product: Product;
  email: string;
}

/** Adds what the customer ordered last, or the minimum: a tap for each label at the bench. */
export default function LabelBar({ product, email }: LabelBarProps) {
  const { _id, minimumOrder, quantity } = product;
  const { add, lines } = useBatch();
  const [state, setState] = useState<'offered' | 'adding' | 'added'>('offered');
  const status = useRef<HTMLParagraphElement>(null);
  const last = useLastQuantity(email, _id);
  const day = describeExpected(product, useShopTimeZone());
  const more = day ? `. More is expected on ${day}` : '';
  useEffect(() => {
    // The pressed button is gone.
    if (state === 'added') status.current?.focus({ preventScroll: true });
  }, [state]);
  if (!last.isSuccess) return null;
  if (!isAvailable(product)) return <OutOfStock more={more} />;
  const pieces = last.data ?? minimumOrder;
  const reason = last.data === null ? 'Minimum order' : 'As you ordered last';
  const press = async () => {
    setState('adding');
    setState((await add(_id, pieces, true)) ? 'added' : 'offered');
  };
  return (
    <div data-bottom-bar="fixed" className={`min-h-18 ${barAtFoot}`}>
      <p ref={status} role="status" tabIndex={-1} className="num text-sm outline-none">
        {state === 'added'
          ? `Added, ${formatCount(lines, 'line')} in the batch`
          : pieces > quantity
            ? `Only ${formatPieces(quantity)} in stock${more}`
            : reason}
      </p>
      {state === 'added' ? (
        <Link to={BATCH_PATH} className="pf-link font-semibold">
          Open batch
        </Link>
      ) : (
        <Button
          kind="strong"
          className="num"
          busy={state === 'adding'}
          busyLabel="Adding…"
          onClick={() => void press()}
        >
          {`Add ${formatPieces(pieces)} to batch`}
        </Button>
      )}
    </div>
  );
}

/** The part's order section has "Tell me when it is back" and what fits instead. */
function OutOfStock({ more }: { more: string }) {
  const lead = () => {
    const heading = document.getElementById('order-heading');
    heading?.scrollIntoView();
    heading?.focus({ preventScroll: true });
  };
  return (
    <div data-bottom-bar="fixed" className={`min-h-18 ${barAtFoot}`}>
      <p className="text-sm">Out of stock{more}</p>
      <Button kind="line" onClick={lead}>
        See what you can do
      </Button>
    </div>
  );
}

/** Null if the customer never ordered the part; stays pending for administrators. */
function useLastQuantity(email: string, product: string) {
  // The part's page is outside the client's provider.
  const user = useQuery(userQueryOptions(email), queryClient);
  return useQuery(
    {
      queryKey: ['orders', 'last', email, product],
      queryFn: async ({ signal }) => {
        const query = { email, product, limit: '1' };
        const { rows } = await callList(listOrders, { query, signal, whenSignedOut: 'stay' });
        return rows[0]?.quantity ?? null;
      },
      enabled: user.data?.role === 'user',
    },
    queryClient,
  );
}

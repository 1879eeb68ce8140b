import { MAX_BATCH_LINES } from '@parts-forge/contract/calls/bounds';
import {
  formatAmount,
  formatCount,
  formatPieces,
  toAmount,
  toCents,
} from '@parts-forge/contract/money/money';
import { lineCents, type Priced } from '@parts-forge/contract/money/pricing';
import type { Order } from '@parts-forge/contract/orders/orders';
import { refuseQuantity } from '@parts-forge/contract/orders/quantity';
import type { Product } from '@parts-forge/contract/products/products';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { BATCH_PATH, batchLimits } from '#app/batch/browser-batch.ts';
import { addToSavedBatch } from '#app/batch/saved-batch.ts';
import { useShopTimeZone } from '#app/calls/shop-config.ts';
import { getProblemCode } from '#app/errors/describe-error.ts';
import { FormError } from '#app/forms/form-error.tsx';
import { describeExpected } from '#app/products/instead/expected-day.ts';
import { productQueryOptions } from '#app/products/queries.ts';
import { ConfirmDialog } from '#app/ui/dialog.tsx';
import { focusableWhereItScrolls } from '#app/ui/focusable-where-it-scrolls.ts';
import { toast } from '#app/ui/toast.tsx';
import { useOwnPrice, withoutOwn } from '#app/users/own-prices.ts';
import { FitsInstead } from './fits-instead.tsx';

/** What the orders of one part asked for. */
interface Line {
  productId: string;
  number: string;
  name: string;
  quantity: number;
  thenCents: number;
}

interface OrderAgainDialogProps {
  orders: readonly Order[];
  onClose: () => void;
}

/** Says what the pieces cost now before they go into the batch. */
export function OrderAgainDialog({ orders, onClose }: OrderAgainDialogProps) {
  const lines = sumByPart(orders);
  const parts = useParts(lines);
  const sold = lines.filter(({ productId }) => parts.data?.get(productId));
  const add = useMutation({ mutationFn: addToSavedBatch });
  const confirm = () =>
    add.mutate(sold, {
      onSuccess: ({ data, left }) => {
        sayAdded(sold.length, left.length, data.length);
        onClose();
      },
    });
  const isTooLong = lines.length > MAX_BATCH_LINES;
  const error = add.error ?? parts.error;
  const then = sold.reduce((sum, { thenCents }) => sum + thenCents, 0);
  const sumNow = (price: (part: Product) => Priced) =>
    sold.reduce((sum, line) => sum + countNow(line, parts.data?.get(line.productId), price), 0);
  const now = sumNow((part) => part);
  return (
    <ConfirmDialog
      title={orders.length === 1 ? 'Order this again?' : `Order these ${orders.length} again?`}
      safe="Not now"
      confirm={parts.data ? `Add ${formatCount(sold.length, 'line')} to the batch` : 'Add to the batch'}
      kind="primary"
      busy={add.isPending}
      busyLabel="Adding…"
      disabled={sold.length === 0 || isTooLong}
      failure={add.error}
      onClose={onClose}
      onConfirm={confirm}
    >
      {isTooLong && <p className="text-error">Not at once: {batchLimits}.</p>}
      <FormError error={error} />
      <ul
        ref={focusableWhereItScrolls}
        aria-label="Parts to order"
        className="mt-3 max-h-64 overflow-y-auto border-y border-base-300 text-sm"
      >
        {lines.map((line) => (
          <LineItem key={line.productId} line={line} part={parts.data?.get(line.productId)} />
        ))}
      </ul>
      <p className="num mt-3 text-sm" aria-live="polite" aria-atomic="true">
        {parts.data &&
          `${format(then)} then, ${format(now)} now${now < sumNow(withoutOwn) ? ', at your prices' : ''}.`}
        {parts.isLoading && 'Asking for the prices…'}
      </p>
    </ConfirmDialog>
  );
}

/** @param inBatch lines of the batch after it */
function sayAdded(added: number, left: number, inBatch: number): void {
  const link = { to: BATCH_PATH, text: `Open batch, ${formatCount(inBatch, 'line')}` };
  if (left > 0) toast('error', `${formatCount(left, 'line')} not added: ${batchLimits}.`, link);
  else toast('success', `${formatCount(added, 'line')} added to the batch.`, link);
}

/** @param part null if it is no longer sold, undefined while it loads */
function LineItem({ line, part }: { line: Line; part: Product | null | undefined }) {
  const { number, name, quantity, thenCents } = line;
  const refusal = part && refuseQuantity(quantity, part);
  const timeZone = useShopTimeZone();
  const day = part && describeExpected(part, timeZone);
  const nowCents = countNow(line, part);
  return (
    <li className="flex flex-wrap justify-between gap-x-4 py-1.5">
      <span className="num font-medium">{number}</span>
      <span className="min-w-0 flex-1 max-sm:basis-full sm:truncate" dir="auto" title={name}>
        {name}
      </span>
      <span className="num shrink-0">
        {formatPieces(quantity)} pieces, {format(thenCents)}
        {part && nowCents !== thenCents && ` → ${format(nowCents)}`}
      </span>
      {part === null && (
        <span className="w-full text-error">
          No longer sold
          <FitsInstead {...line} />
        </span>
      )}
      {part && refusal && (
        <span className="num w-full text-error">
          {refusal.code === 'above-stock' ? `Only ${formatPieces(part.quantity)} in stock` : refusal.message}
          {refusal.code === 'above-stock' && day && `. More is expected on ${day}`}
          {refusal.code === 'above-stock' && <FitsInstead {...line} />}
        </span>
      )}
    </li>
  );
}

const format = (cents: number): string => formatAmount(toAmount(cents));

const countNow = (
  { quantity }: Line,
  part: Product | null | undefined,
  price: (part: Product) => Priced = (each) => each,
): number => (part ? lineCents(quantity, price(part)) : 0);

function sumByPart(orders: readonly Order[]): Line[] {
  const byPart = Map.groupBy(orders, ({ productId }) => productId);
  return [...byPart].map(([productId, same]) => ({
    productId,
    number: same[0]?.partNumber ?? '',
    name: same[0]?.productName ?? '',
    quantity: same.reduce((sum, { quantity }) => sum + quantity, 0),
    thenCents: same.reduce((sum, { totalPrice }) => sum + toCents(totalPrice), 0),
  }));
}

/** By id; null for one that is no longer sold. */
function useParts(lines: readonly Line[]) {
  const own = useOwnPrice(lines.map(({ productId }) => ({ _id: productId })));
  const queries = useQueryClient();
  const ids = lines.map(({ productId }) => productId);
  return useQuery({
    queryKey: ['products', 'again', ids],
    queryFn: async () => {
      const parts = ids.map(async (id) => {
        const part = await queries.fetchQuery(productQueryOptions(id)).catch((error) => {
          if (getProblemCode(error) === 'not-found') return null;
          throw error;
        });
        return [id, part] as const;
      });
      return new Map(await Promise.all(parts));
    },
    select: (parts) => new Map([...parts].map(([id, part]) => [id, part && own(part)])),
    enabled: ids.length <= MAX_BATCH_LINES,
  });
}

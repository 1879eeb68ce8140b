import { MAX_BATCH_LINES } from '@parts-forge/contract/calls/bounds';
import { formatCents, formatCount, formatPieces } from '@parts-forge/contract/money/money';
import { lineCents, type Priced } from '@parts-forge/contract/money/pricing';
import type { LeftLine } from '@parts-forge/contract/orders/batch';
import type { Order } from '@parts-forge/contract/orders/orders';
import { refuseQuantity } from '@parts-forge/contract/orders/quantity';
import { readInstead } from '@parts-forge/contract/products/instead';
import type { Product } from '@parts-forge/contract/products/products';
import { useMutation, useQuery } from '@tanstack/react-query';
import { BATCH_PATH, batchLimits } from '#app/batch/browser-batch.ts';
import { addToSavedBatch } from '#app/batch/saved-batch.ts';
import { callShop } from '#app/calls/api-client.ts';
import { useShopTimeZone } from '#app/calls/shop-config.ts';
import { FormError } from '#app/forms/form-error.tsx';
import { explainShort } from '#app/products/instead/short-line.ts';
import { InsteadOf, TakeInstead } from '#app/products/instead/take-instead.tsx';
import { ConfirmDialog } from '#app/ui/dialog.tsx';
import { toast } from '#app/ui/toast.tsx';
import { withoutOwn } from '#app/users/own-prices.ts';
import { describeExchange, type LineNow, type LinesAgain, lineId, useLinesAgain } from './use-lines-again.ts';

export interface OrderAgainProps {
  orders: readonly Order[];
  onClose: () => void;
}

/** Says what the pieces cost now, and what fits instead, before they go into the batch. */
export default function OrderAgainDialog({ orders, onClose }: OrderAgainProps) {
  const again = useLinesAgain(orders);
  const { lines, parts } = again;
  const sold = lines.filter(({ part }) => part);
  const add = useMutation({ mutationFn: addToSavedBatch });
  const confirm = () =>
    add.mutate(sold, {
      onSuccess: ({ data, left }) => {
        sayAdded(sold.length, left, data.length);
        onClose();
      },
    });
  const isTooLong = lines.length > MAX_BATCH_LINES;
  return (
    <ConfirmDialog
      title={orders.length === 1 ? 'Order this again?' : `Order these ${orders.length} again?`}
      intro="Nothing is ordered yet. What you add goes into the batch, at today's prices."
      foot={<Sums lines={sold} again={again} />}
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
      <div className="px-6 empty:hidden">
        {isTooLong && <p className="mt-3 text-error">Not at once: {batchLimits}.</p>}
        <FormError error={add.error ?? parts.error} />
      </div>
      <ul aria-label="Parts to order" className="divide-y divide-base-300 text-sm">
        {lines.map((line) => (
          <LineItem key={line.productId} line={line} again={again} />
        ))}
      </ul>
    </ConfirmDialog>
  );
}

/** @param inBatch lines of the batch after it */
function sayAdded(added: number, left: readonly LeftLine[], inBatch: number): void {
  const link = { to: BATCH_PATH, text: `Open batch, ${formatCount(inBatch, 'line')}` };
  const reason = left.every(({ reason }) => reason === 'gone') ? 'no longer sold' : batchLimits;
  if (left.length > 0) toast('error', `${formatCount(left.length, 'line')} not added: ${reason}.`, link);
  else toast('success', `${formatCount(added, 'line')} added to the batch.`, link);
}

/** Of the lines that are sold. */
function Sums({ lines, again: { parts, said } }: { lines: readonly LineNow[]; again: LinesAgain }) {
  const sumNow = (price: (part: Product) => Priced) =>
    lines.reduce((sum, { part, quantity }) => sum + (part ? lineCents(quantity, price(part)) : 0), 0);
  const then = lines.reduce((sum, { thenCents }) => sum + thenCents, 0);
  const now = sumNow((part) => part);
  return (
    <p className="num" aria-live="polite" aria-atomic="true">
      <span className="sr-only">{said} </span>
      {parts.data &&
        `${formatCents(then)} then, ${formatCents(now)} now${now < sumNow(withoutOwn) ? ', at your prices' : ''}.`}
      {parts.isLoading && 'Asking for the prices…'}
    </p>
  );
}

interface LineProps {
  line: LineNow;
  again: LinesAgain;
}

function LineItem({ line, again }: LineProps) {
  const { productId, number, name, quantity, thenCents, part } = line;
  const refusal = part && refuseQuantity(quantity, part);
  const nowCents = part ? lineCents(quantity, part) : thenCents;
  return (
    <li id={lineId(productId)} tabIndex={-1} className="px-6 py-2.5 outline-offset-[-2px]">
      <span className="flex flex-wrap justify-between gap-x-4">
        <span className="num font-medium">{number}</span>
        <span className="min-w-0 flex-1 max-sm:basis-full sm:truncate" dir="auto" title={name}>
          {name}
        </span>
        <span className="num shrink-0">
          {formatPieces(quantity)} pieces, {formatCents(thenCents)}
          {nowCents !== thenCents && ` → ${formatCents(nowCents)}`}
        </span>
      </span>
      {line.standsFor.map((exchange) => (
        <InsteadOf
          key={`${exchange.from.productId} ${exchange.left}`}
          text={describeExchange(exchange, line)}
          undo={() => again.undo(exchange)}
        />
      ))}
      {isShort(line) ? (
        <ShortNote line={line} again={again} />
      ) : (
        refusal && <p className="num text-error">{refusal.message}</p>
      )}
    </li>
  );
}

/** Whether the stock is too small, also for the minimum order. */
const isShort = ({ part, quantity }: LineNow): boolean =>
  part === null || (part !== undefined && part.quantity < Math.max(quantity, part.minimumOrder));

function ShortNote({ line: { productId, number, quantity, part, standsFor }, again }: LineProps) {
  const timeZone = useShopTimeZone();
  const read = useQuery({
    queryKey: ['products', 'instead', productId, quantity],
    queryFn: ({ signal }) =>
      callShop(readInstead, { params: { id: productId }, query: { quantity: String(quantity) }, signal }),
    // A part that stands for another one is given back, not exchanged again.
    enabled: standsFor.length === 0,
  });
  const answer = read.data?.data;
  const product = part ?? answer?.product;
  if (!product) return <p className="text-error">This part is no longer sold.</p>;
  const short = { product, quantity, gone: answer?.gone, instead: answer?.instead };
  return (
    <>
      <p className="num text-error">{explainShort(short, timeZone)}</p>
      <TakeInstead
        line={short}
        onTake={(other, pieces, left) => again.take({ from: { productId, number }, other, pieces, left })}
      />
    </>
  );
}

import { MAX_CHOSEN_ORDERS } from '@parts-forge/contract/calls/bounds';
import { formatAmount, formatCount } from '@parts-forge/contract/money/money';
import type { Order } from '@parts-forge/contract/orders/orders';
import { useMutation } from '@tanstack/react-query';
import { FileText } from 'lucide';
import type { ComponentProps } from 'react';
import { DownloadButton } from '#app/downloads/download-button.tsx';
import { toastError } from '#app/errors/toast-error.ts';
import { getOrdersWithPapers, listPapers } from '#app/orders/money/list-papers.ts';
import { sumOrders } from '#app/orders/money/sum-orders.ts';
import { readMatchingOrders } from '#app/orders/queries.ts';
import { ChosenBar } from '#app/rows/chosen-bar.tsx';
import type { useOrderList } from './use-order-list.ts';
import type { RowsChoice } from './use-row-choice.ts';

interface ChooseMatchingProps {
  choice: RowsChoice;
  orders: ReturnType<typeof useOrderList>;
}

export const ChosenOrders = ({
  orders,
  ...bar
}: ChooseMatchingProps & Pick<ComponentProps<typeof ChosenBar>, 'report' | 'onClear' | 'children'>) => (
  <ChosenBar
    label="Chosen orders"
    count={bar.choice.summary}
    sum={formatAmount(sumOrders(bar.choice.rows))}
    all={<ChooseMatching key={JSON.stringify(orders.shown)} choice={bar.choice} orders={orders} />}
    {...bar}
  />
);

/** Orders that come later stay unchosen. */
function ChooseMatching({ choice, orders: { list, shown } }: ChooseMatchingProps) {
  const reading = useMutation({ mutationFn: readMatchingOrders });
  const pages = list.data?.pages ?? [];
  if (!list.hasNextPage && pages.every(({ rows }) => rows.every(choice.has))) return null;
  const total = pages[0]?.total;
  const hasPurchase = pages.some(({ rows }) => rows.some(({ purchase }) => purchase?.row));
  // Callbacks of this call, not of the hook: the answer for a filter that was left is dropped.
  const choose = () => reading.mutate(shown, { onSuccess: choice.add, onError: toastError });
  return (
    <button type="button" className="pf-link num" aria-busy={reading.isPending || undefined} onClick={choose}>
      {Number(total?.replace('+', '')) > MAX_CHOSEN_ORDERS
        ? `Choose ${MAX_CHOSEN_ORDERS} of ${total}`
        : `Choose all ${total} ${hasPurchase ? 'rows' : 'that match'}`}
    </button>
  );
}

/** Renders nothing without papers. */
export function PapersButton({ orders, as }: { orders: readonly Order[]; as: 'pdf' | 'zip' }) {
  const papers = listPapers(orders);
  if (papers.length === 0) return null;
  return (
    <DownloadButton file={{ what: 'invoices', orders: getOrdersWithPapers(orders), as }} icon={FileText}>
      {formatCount(papers.length, 'paper')}
    </DownloadButton>
  );
}

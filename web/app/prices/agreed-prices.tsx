import { formatAmount, formatCents, formatPieces, toCents } from '@parts-forge/contract/money/money';
import type { AgreedPrice } from '@parts-forge/contract/prices/agreed-prices';
import { partPath } from '@parts-forge/contract/products/part-rules';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Tag } from 'lucide';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { PagedList } from '#app/dashboard/paged-list.tsx';
import { ConfirmChange } from '#app/forms/confirm-change.tsx';
import { type WorkColumn, WorkTable } from '#app/rows/work-table.tsx';
import { Button } from '#app/ui/button.tsx';
import { formatDay } from '#app/ui/format-day.ts';
import { Notice } from '#app/ui/notice.tsx';
import { useQuestion } from '#app/ui/use-question.ts';
import { WorkSkeleton } from '#app/ui/work-skeleton.tsx';
import { CustomerLink } from '#app/users/customer-link.tsx';
import { listPriceFor, useOwnPrice } from '#app/users/own-prices.ts';
import { agreedPricesQueryOptions, useRemovePrice } from './queries.ts';

interface AgreedPricesProps {
  filter: Parameters<typeof agreedPricesQueryOptions>[0];
  /** Whether they are the reader's own, who cannot remove them. */
  isOwn?: boolean;
  /** The sentence of an empty list. */
  empty: ReactNode;
}

/** One row for each customer, part and quantity. */
export function AgreedPrices({ filter, isOwn = false, empty }: AgreedPricesProps) {
  const list = useInfiniteQuery(agreedPricesQueryOptions(filter));
  const question = useQuestion<AgreedPrice>((price, close) => <RemoveDialog price={price} onClose={close} />);
  const columns = listColumns(isOwn ? 'Your price' : 'Price', useOwnPrice([]), question.ask);
  return (
    <>
      <PagedList
        list={list}
        what="The agreed prices"
        skeleton={<WorkSkeleton />}
        empty={
          <Notice icon={Tag} title="No agreed prices">
            {empty}
          </Notice>
        }
      >
        {(prices) => (
          <WorkTable
            kind="prices"
            caption="Agreed prices, newest first"
            columns={columns.filter(({ place }) => !isOwn || (place !== 'who' && place !== 'act'))}
            rows={prices}
            busy={list.isPlaceholderData}
            nameRow={({ product }) => product.name}
          />
        )}
      </PagedList>
      {question.dialog}
    </>
  );
}

const listColumns = (
  priceHead: string,
  priceOwn: ReturnType<typeof useOwnPrice>,
  onRemove: (price: AgreedPrice) => void,
): WorkColumn<AgreedPrice>[] => [
  {
    head: 'Part',
    place: 'part',
    cell: ({ product }) => (
      <span>
        <span>
          {product.gone ? (
            <bdi className="line" dir="auto">
              {product.name}
            </bdi>
          ) : (
            <Link className="line hover:underline" dir="auto" title={product.name} to={partPath(product)}>
              {product.name}
            </Link>
          )}
          <span className="num sub">{product.number}</span>
        </span>
      </span>
    ),
  },
  { head: 'Customer', place: 'who', cell: ({ customer }) => <CustomerLink {...customer} /> },
  {
    head: 'From',
    place: 'qty',
    right: true,
    cell: ({ fromQuantity }) => (
      <span>
        <span className="lg:hidden">from </span>
        {formatPieces(fromQuantity)}
      </span>
    ),
  },
  {
    head: priceHead,
    place: 'sum',
    right: true,
    cell: ({ price, netPrice = price, product, fromQuantity }) => {
      const listed = listPriceFor(fromQuantity, priceOwn(product));
      return (
        <span>
          {formatAmount(netPrice)}
          <span className="sub">
            list {formatCents(listed)}
            {toCents(netPrice) > listed && ' counts'}
          </span>
        </span>
      );
    },
  },
  {
    head: 'Until',
    place: 'state',
    cell: ({ until, quote }) => (
      <span className="num">
        {until ? formatDay(until, 'UTC') : 'no end'}
        {quote && <span className="sub">Q-{quote.number}</span>}
      </span>
    ),
  },
  {
    head: 'Action',
    place: 'act',
    cell: (price) => (
      <span>
        <Button kind="line" aria-label={nameRemoval(price)} onClick={() => onRemove(price)}>
          Remove
        </Button>
      </span>
    ),
  },
];

/** A customer may have several prices of a part. */
const nameRemoval = ({ product, customer, fromQuantity, quote }: AgreedPrice): string =>
  `Remove the price of ${product.name} for ${customer.name} from ${formatPieces(fromQuantity)}${quote ? `, Q-${quote.number}` : ''}`;

function RemoveDialog({ price, onClose }: { price: AgreedPrice; onClose: () => void }) {
  return (
    <ConfirmChange
      title="Remove this price?"
      safe="Keep price"
      confirm="Remove price"
      change={useRemovePrice()}
      input={price._id}
      onClose={onClose}
    >
      <bdi>{price.customer.name}</bdi> then pays the list’s price for <bdi>{price.product.name}</bdi>. Placed
      orders keep theirs.
    </ConfirmChange>
  );
}

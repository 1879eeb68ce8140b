import { LOW_STOCK_MINIMUM_ORDERS } from '@parts-forge/contract/calls/bounds';
import { formatAmount, formatPieces } from '@parts-forge/contract/money/money';
import { isAvailable, partPath } from '@parts-forge/contract/products/part-rules';
import type { Product } from '@parts-forge/contract/products/products';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { RowNotices } from '#app/dashboard/use-row-notices.tsx';
import { Expected } from '#app/products/expected.tsx';
import { editPath, ledgerPath } from '#app/products/product-paths.ts';
import { wishCountsQueryOptions } from '#app/products/queries.ts';
import { RowPart } from '#app/products/row-part.tsx';
import { RowMenu } from '#app/rows/row-menu.tsx';
import type { Choice } from '#app/rows/use-choice.ts';
import { type WorkColumn, WorkTable } from '#app/rows/work-table.tsx';
import { Button, getButtonClasses } from '#app/ui/button.tsx';
import { useOnline } from '#app/ui/use-online.ts';

interface ProductActions {
  onRestock: (product: Product) => void;
  onDelete: (product: Product) => void;
}

interface ProductsTableProps extends ProductActions {
  products: readonly Product[];
  /** Whether more products are loading. */
  busy: boolean;
  choice: Choice<Product>;
  bar: ReactNode;
  sort: { now: string; change: (sort: string) => void };
  notices: Pick<RowNotices<Product>, 'render'>;
}

export function ProductsTable({ products, notices, onRestock, onDelete, ...table }: ProductsTableProps) {
  const { data: wishes } = useQuery(wishCountsQueryOptions());
  const columns: WorkColumn<Product>[] = [
    {
      head: 'Part',
      place: 'part',
      sorts: { up: 'name' },
      cell: (product) => <Part product={product} waiting={wishes?.get(product._id) ?? 0} />,
    },
    { head: 'Number', place: 'no', cell: ({ number }) => <span className="num line">{number}</span> },
    {
      head: 'Price',
      place: 'sum',
      right: true,
      sorts: { down: '-price', up: 'price' },
      cell: ({ price }) => formatAmount(price),
    },
    { head: 'Quantity', place: 'stock', right: true, cell: (product) => <Stock product={product} /> },
    {
      head: 'Minimum Order',
      place: 'min',
      right: true,
      cell: ({ minimumOrder }) => formatPieces(minimumOrder),
    },
    {
      head: 'Action',
      place: 'act',
      cell: (product) => <RowActions product={product} onRestock={onRestock} onDelete={onDelete} />,
    },
  ];
  return (
    <WorkTable
      {...table}
      kind="parts"
      caption="All products"
      columns={columns}
      rows={products}
      nameRow={({ name }) => name}
      renderNotice={(product) => notices.render(product, product.name)}
    />
  );
}

/** @param waiting for a mail when it can be ordered again */
const Part = ({ product, waiting }: { product: Product; waiting: number }) => (
  <RowPart image={product.image}>
    <Link className="line hover:underline" dir="auto" title={product.name} to={editPath(product)}>
      {product.name}
    </Link>
    {waiting > 0 && (
      <span className="sub">
        {waiting === 1 ? '1 customer waits' : `${formatPieces(waiting)} customers wait`} for it
      </span>
    )}
    <Expected product={product} />
  </RowPart>
);

/** The bar is full at `LOW_STOCK_MINIMUM_ORDERS`. */
function Stock({ product }: { product: Product }) {
  const { quantity, minimumOrder } = product;
  const share = Math.min(1, quantity / (minimumOrder * LOW_STOCK_MINIMUM_ORDERS));
  const isLow = share < 1;
  return (
    <span className="block">
      <span className={isAvailable(product) ? '' : 'text-error'}>{formatPieces(quantity)}</span>
      <svg aria-hidden="true" className="mt-0.5 ml-auto h-1 w-16 rounded-full bg-base-300" viewBox="0 0 64 4">
        <rect width={share * 64} height="4" className={isLow ? 'fill-accent' : 'fill-base-content'} />
      </svg>
      {!isAvailable(product) && <span className="sr-only">Out of stock</span>}
    </span>
  );
}

function RowActions({ product, onRestock, onDelete }: ProductActions & { product: Product }) {
  const online = useOnline();
  return (
    <span>
      <Link
        className={getButtonClasses('line', 'row')}
        aria-label={`Edit ${product.name}`}
        to={editPath(product)}
      >
        Edit
      </Link>
      <Button
        kind="line"
        size="row"
        aria-label={`Restock ${product.name}`}
        disabled={!online}
        onClick={() => onRestock(product)}
      >
        Restock
      </Button>
      <RowMenu label={product.name}>
        <Link to={partPath(product)}>Show in the shop</Link>
        <Link to={ledgerPath(product)}>Stock ledger</Link>
        <Link to={`/dashboard/manage-orders?part=${product._id}`}>Orders of this part</Link>
        <button
          type="button"
          className="text-error"
          aria-label={`Delete ${product.name}`}
          disabled={!online}
          onClick={() => onDelete(product)}
        >
          Delete
        </button>
      </RowMenu>
    </span>
  );
}

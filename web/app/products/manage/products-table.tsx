import { formatAmount, formatPieces } from '@parts-forge/contract/money';
import { isAvailable } from '@parts-forge/contract/part-rules';
import type { Product } from '@parts-forge/contract/products';
import { Link } from 'react-router';
import type { RowNotices } from '#app/dashboard/use-row-notices.tsx';
import { ProductCell } from '#app/products/product-cell.tsx';
import { editPath } from '#app/products/product-paths.ts';
import { Button } from '#app/ui/button.tsx';
import { StatusChip } from '#app/ui/status-chip.tsx';
import { type Column, Table } from '#app/ui/table.tsx';
import { useOnline } from '#app/ui/use-online.ts';

interface ProductActions {
  onRestock: (product: Product) => void;
  onDelete: (product: Product) => void;
}

interface ProductsTableProps extends ProductActions {
  products: readonly Product[];
  /** Whether more products are loading. */
  busy: boolean;
  notices: Pick<RowNotices<Product>, 'render'>;
}

export function ProductsTable({ products, busy, notices, ...actions }: ProductsTableProps) {
  const columns: Column<Product>[] = [
    {
      head: 'Part',
      cell: (product) => (
        <ProductCell
          image={product.image}
          name={
            <Link className="hover:text-primary hover:underline" to={editPath(product)}>
              {product.name}
            </Link>
          }
          under={
            <>
              <span className="num block [overflow-wrap:anywhere]">{product.number}</span>
              {!isAvailable(product) && (
                <StatusChip status="stop" className="mt-1">
                  Out of stock
                </StatusChip>
              )}
            </>
          }
        />
      ),
    },
    { head: 'Price', right: true, cell: (product) => formatAmount(product.price) },
    { head: 'Quantity', right: true, cell: (product) => formatPieces(product.quantity) },
    { head: 'Minimum Order', right: true, cell: (product) => formatPieces(product.minimumOrder) },
    {
      head: 'Action',
      actions: true,
      cell: (product) => <RowActions product={product} {...actions} />,
    },
  ];
  return (
    <Table
      caption="All products, newest first"
      columns={columns}
      rows={products}
      busy={busy}
      getKey={(product) => product._id}
      renderNotice={(product) => notices.render(product, product.name)}
    />
  );
}

function RowActions({ product, onRestock, onDelete }: ProductActions & { product: Product }) {
  const online = useOnline();
  return (
    <span className="acts flex justify-end gap-2">
      <Button
        kind="line"
        size="row"
        aria-label={`Restock ${product.name}`}
        disabled={!online}
        onClick={() => onRestock(product)}
      >
        Restock
      </Button>
      <Button
        kind="danger-line"
        size="row"
        aria-label={`Delete ${product.name}`}
        disabled={!online}
        onClick={() => onDelete(product)}
      >
        Delete
      </Button>
    </span>
  );
}

import { formatAmount, formatPieces } from '@parts-forge/contract/money';
import type { BulkLine } from '@parts-forge/contract/stock';
import { useState } from 'react';
import { Link } from 'react-router';
import { ListFooter } from '#app/dashboard/list-footer.tsx';
import { ProductCell } from '#app/products/product-cell.tsx';
import { editPath } from '#app/products/product-paths.ts';
import { formatChange } from '#app/ui/signed.ts';
import { type Column, Table } from '#app/ui/table.tsx';
import type { CheckedLine } from './use-restock-file.ts';

const ROWS = 100;

export function ChangesTable({ lines }: { lines: readonly CheckedLine[] }) {
  const [shown, setShown] = useState(ROWS);
  return (
    <>
      <Table
        className="pf-dense md:[&_tbody_tr]:!h-[4.5rem]"
        caption="Changes"
        columns={columns}
        rows={lines.slice(0, shown)}
        getKey={({ line }) => String(line)}
      />
      <ListFooter
        shown={Math.min(shown, lines.length)}
        total={formatPieces(lines.length)}
        hasMore={lines.length > shown}
        isPaged={shown > ROWS}
        busy={false}
        error={null}
        onMore={() => setShown(shown + ROWS)}
      />
    </>
  );
}

const columns: Column<CheckedLine>[] = [
  {
    head: 'Part',
    cell: ({ result }) =>
      result?.product && (
        <ProductCell
          image={result.product.image}
          name={
            <Link className="hover:text-primary hover:underline" to={editPath(result.product)}>
              {result.product.name}
            </Link>
          }
          under={<span className="num">{result.number}</span>}
        />
      ),
  },
  {
    head: 'Line',
    right: true,
    cell: ({ line, more }) => (more === 0 ? line : `${line} and ${formatPieces(more)} more`),
  },
  {
    head: 'Added',
    right: true,
    cell: ({ result }) => {
      const added = (result?.after?.quantity ?? 0) - (result?.before?.quantity ?? 0);
      if (added === 0) return <span className="text-muted">0</span>;
      return formatChange(added);
    },
  },
  { head: 'Stock', right: true, cell: ({ result }) => <Change result={result} read={readStock} /> },
  { head: 'Price', right: true, cell: ({ result }) => <Change result={result} read={readPrice} /> },
];

type State = NonNullable<BulkLine['before']>;
const readStock = ({ quantity }: State) => formatPieces(quantity);
const readPrice = ({ price }: State) => formatAmount(price);

function Change({ result, read }: { result: BulkLine | null; read: (state: State) => string }) {
  if (!result?.before || !result.after) return null;
  const [was, is] = [read(result.before), read(result.after)];
  if (was === is) return <span className="text-muted">{is}</span>;
  return (
    <span className="whitespace-nowrap">
      <span className="text-muted">{was} →</span> <span className="font-semibold">{is}</span>
    </span>
  );
}

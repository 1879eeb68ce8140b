import { formatCents, formatPieces } from '@parts-forge/contract/money/money';
import { partPath } from '@parts-forge/contract/products/part-rules';
import { CircleAlert, Info, Trash2 } from 'lucide';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Thumbnail } from '#app/products/thumbnail.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { type Column, Table } from '#app/ui/table.tsx';
import type { Sentence } from './explain-line.ts';
import type { LineOnPage } from './use-batch-lines.ts';

/** The target of links to a line. */
export const quantityFieldId = (line: Pick<LineOnPage, 'product'>): string => `quantity-${line.product._id}`;
export const removeButtonId = (productId: string): string => `remove-${productId}`;
const problemId = (line: Pick<LineOnPage, 'product'>): string => `problem-${line.product._id}`;

interface LinesTableProps {
  rows: readonly LineOnPage[];
  onRemove: (row: LineOnPage) => void;
}

/** One row per part, with its problem and the fix. */
export function LinesTable({ rows, onRemove }: LinesTableProps) {
  const columns: Column<LineOnPage>[] = [
    { head: 'Part', cell: (row) => <PartCell row={row} /> },
    { head: 'Quantity', right: true, cell: (row) => <QuantityInput row={row} /> },
    { head: 'Unit price', right: true, cell: (row) => <UnitPrice row={row} /> },
    {
      head: 'Line total',
      right: true,
      cell: (row) => (
        <span className={row.problem ? 'font-medium text-muted' : 'font-medium'}>
          {row.gone ? '–' : formatCents(row.totalCents)}
        </span>
      ),
    },
    {
      head: 'Remove',
      actions: true,
      cell: (row) => (
        <span className="acts flex justify-end">
          <button
            type="button"
            className="btn btn-ghost btn-square size-9"
            id={removeButtonId(row.product._id)}
            aria-label={`Remove ${row.product.name}`}
            onClick={() => onRemove(row)}
          >
            <Icon of={Trash2} className="size-[1.125rem] text-muted" />
          </button>
        </span>
      ),
    },
  ];
  return (
    <Table
      caption="Lines of the batch"
      columns={columns}
      rows={rows}
      getKey={(row) => row.product._id}
      className="pf-lines"
    />
  );
}

function PartCell({ row }: { row: LineOnPage }) {
  const { product, problem, gone } = row;
  const hasNote = problem !== null || row.formerCents !== null;
  return (
    <span className={`flex gap-4 ${hasNote ? 'items-start' : 'items-center'}`}>
      <Thumbnail image={product.image} />
      <span className="min-w-0 [overflow-wrap:anywhere]">
        {gone ? (
          <span className="block text-balance leading-5">{product.name}</span>
        ) : (
          <Link
            className="-my-0.5 block text-balance py-0.5 leading-5 hover:text-primary hover:underline"
            to={partPath(product)}
          >
            {product.name}
          </Link>
        )}
        <span className="num mt-0.5 block text-micro font-normal text-muted [overflow-wrap:anywhere]">
          {product.number}
          {product.orderStep > 1 && `, in steps of ${formatPieces(product.orderStep)}`}
        </span>
        {/* Always rendered, so that changes are announced. */}
        <span id={problemId(row)} className="block" aria-live="polite">
          <LineNote row={row} />
        </span>
      </span>
    </span>
  );
}

function LineNote({ row }: { row: LineOnPage }) {
  if (row.problem) {
    return (
      <Note icon={CircleAlert} tone="font-medium text-error">
        <FixableSentence sentence={row.problem} row={row} />
      </Note>
    );
  }
  return (
    row.formerCents !== null && (
      <Note icon={Info} tone="font-normal text-warning">
        The price changed after you added the line.
      </Note>
    )
  );
}

function Note({ icon, tone, children }: { icon: typeof Info; tone: string; children: ReactNode }) {
  return (
    <span className={`mt-1 flex gap-1.5 text-sm ${tone}`}>
      <Icon of={icon} className="mt-0.5 size-4 shrink-0" />
      <span>{children}</span>
    </span>
  );
}

/** Pressing a quantity fills and focuses the field. */
function FixableSentence({ sentence, row }: { sentence: Sentence; row: LineOnPage }) {
  const fix = (pieces: number) => {
    row.setText(String(pieces));
    document.getElementById(quantityFieldId(row))?.focus();
  };
  return (
    <>
      {sentence.map((part) =>
        typeof part === 'string' ? (
          part
        ) : (
          <button
            key={part}
            type="button"
            className="pf-link pf-fix font-semibold"
            aria-label={`${formatPieces(part)} pieces of ${row.product.name}`}
            onClick={() => fix(part)}
          >
            {formatPieces(part)}
          </button>
        ),
      )}
    </>
  );
}

function QuantityInput({ row }: { row: LineOnPage }) {
  const { product, text, problem, gone } = row;
  return (
    <>
      <label className="sr-only" htmlFor={quantityFieldId(row)}>
        Quantity of {product.name}
      </label>
      <input
        id={quantityFieldId(row)}
        className="input num h-11 w-24 scroll-mt-40 bg-base-100 text-right font-medium"
        inputMode="numeric"
        min={product.minimumOrder}
        autoComplete="off"
        value={text}
        disabled={gone}
        aria-describedby={problemId(row)}
        aria-invalid={problem ? true : undefined}
        onChange={(event) => row.setText(event.target.value)}
        onBlur={row.save}
        onKeyDown={(event) => {
          if (event.key === 'Enter') row.save();
        }}
      />
    </>
  );
}

function UnitPrice({ row }: { row: LineOnPage }) {
  const { product, unitCents, formerCents, pieces, gone } = row;
  if (gone) return <>–</>;
  const reached = product.priceBreaks.findLast(({ quantity }) => quantity <= pieces);
  return (
    <>
      {formerCents !== null && (
        <>
          <span className="sr-only">before </span>
          <s className="pf-was mr-2 text-sm">{formatCents(formerCents)}</s>
          <span className="sr-only">, now </span>
        </>
      )}
      {formatCents(unitCents)}
      {reached && <span className="block text-micro text-muted">from {formatPieces(reached.quantity)}</span>}
    </>
  );
}

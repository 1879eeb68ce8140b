import { formatCents, formatPieces } from '@parts-forge/contract/money/money';
import { partPath } from '@parts-forge/contract/products/part-rules';
import { Trash2 } from 'lucide';
import { Link } from 'react-router';
import { RowPart } from '#app/products/row-part.tsx';
import { RowBelow } from '#app/rows/work-table.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { listPriceFor } from '#app/users/own-prices.ts';
import type { Exchange } from './instead.tsx';
import { LineDecision } from './line-decision.tsx';
import { problemId, quantityFieldId, removeButtonId, unreadId } from './line-ids.ts';
import { UnreadRow } from './unread-row.tsx';
import type { LineOnPage } from './use-batch-lines.ts';
import type { Entry, Groups } from './use-groups.ts';
import type { List } from './use-list.ts';

interface LinesTableProps {
  groups: Groups;
  list: List;
  exchange: Exchange;
  onRemove: (row: LineOnPage) => void;
}

const columns = [
  { head: 'Line', place: 'nr' },
  { head: 'Part', place: 'part' },
  { head: 'Stock', place: 'stock' },
  { head: 'Pieces', place: 'qty r' },
  { head: 'Each', place: 'each r' },
  { head: 'Line total', place: 'sum r' },
  { head: 'Remove', place: 'act' },
];

/** One row per line: those to decide, then the ready ones. Cards when narrow, so every element needs its role. */
export function LinesTable({ groups: { toDecide, ready }, ...acts }: LinesTableProps) {
  return (
    <div className="pf-work pf-panel" data-kind="batch">
      {/* biome-ignore-start lint/a11y/noRedundantRoles: a display other than table drops the implied roles. */}
      <table role="table">
        <caption className="sr-only">Lines of the batch</caption>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map(({ head, place }) => (
              <th key={head} role="columnheader" scope="col" className={place}>
                <span className={place === 'act' ? 'sr-only' : ''}>{head}</span>
              </th>
            ))}
          </tr>
        </thead>
        <Group name="to decide" entries={toDecide} {...acts} />
        <Group name="ready" entries={ready} {...acts} />
      </table>
      {/* biome-ignore-end lint/a11y/noRedundantRoles: see above. */}
    </div>
  );
}

interface GroupProps extends Omit<LinesTableProps, 'groups'> {
  name: string;
  entries: readonly Entry[];
}

function Group({ name, entries, list, ...acts }: GroupProps) {
  if (entries.length === 0) return null;
  return (
    // biome-ignore-start lint/a11y/noRedundantRoles: see the table.
    <tbody role="rowgroup">
      <RowBelow className="cap" span={columns.length}>
        {formatPieces(entries.length)} {name}
      </RowBelow>
      {entries.map((entry) =>
        'row' in entry ? (
          <LineRow key={entry.row.product._id} {...entry} {...acts} />
        ) : (
          <UnreadRow key={unreadId(entry.unread)} line={entry.unread} list={list} />
        ),
      )}
    </tbody>
    // biome-ignore-end lint/a11y/noRedundantRoles: see the table.
  );
}

interface LineRowProps extends Pick<LinesTableProps, 'exchange' | 'onRemove'> {
  row: LineOnPage;
  number: number;
}

function LineRow({ row, number, exchange, onRemove }: LineRowProps) {
  const { product, gone, problem } = row;
  return (
    <>
      {/* biome-ignore-start lint/a11y/noRedundantRoles: see the table. */}
      <tr role="row" className="row" data-line={product._id}>
        <td role="cell" className="nr num">
          {number || ''}
        </td>
        <th role="rowheader" scope="row" className="part">
          <RowPart image={product.image}>
            <PartName row={row} />
            <PartNumber row={row} />
          </RowPart>
        </th>
        <td role="cell" className="num stock">
          <Stock row={row} />
        </td>
        <td role="cell" className="r qty">
          <QuantityInput row={row} />
        </td>
        <td role="cell" className="r num each">
          <UnitPrice row={row} />
        </td>
        <td role="cell" className="r num sum">
          {problem || gone ? <span className="sub">to decide</span> : formatCents(row.totalCents)}
        </td>
        <td role="cell" className="act">
          <button
            type="button"
            className="btn btn-ghost btn-square size-8"
            id={removeButtonId(product._id)}
            aria-label={`Remove ${product.name}`}
            onClick={() => onRemove(row)}
          >
            <Icon of={Trash2} className="size-[1.125rem] text-muted" />
          </button>
        </td>
      </tr>
      {/* biome-ignore-end lint/a11y/noRedundantRoles: see the table. */}
      <RowBelow className="under" span={columns.length}>
        {/* Always rendered, so that changes are announced. */}
        <div id={problemId(row)} aria-live="polite" data-line={product._id}>
          <LineDecision line={row} exchange={exchange} />
        </div>
      </RowBelow>
    </>
  );
}

function PartName({ row: { product, gone } }: { row: LineOnPage }) {
  if (gone) return <span className="line">{product.name}</span>;
  return (
    <Link className="line hover:text-primary hover:underline" to={partPath(product)} title={product.name}>
      {product.name}
    </Link>
  );
}

const PartNumber = ({ row: { product, alias } }: { row: LineOnPage }) => (
  <span className="num sub">
    {product.number}
    {alias !== undefined && (
      <>
        , your <bdi>{alias}</bdi>
      </>
    )}
    {product.orderStep > 1 && `, in steps of ${formatPieces(product.orderStep)}`}
  </span>
);

function Stock({ row: { product, pieces, gone } }: { row: LineOnPage }) {
  if (gone) return <span className="font-medium text-error">ended</span>;
  return (
    <>
      <span className={pieces > product.quantity ? 'font-medium text-error' : ''}>
        {formatPieces(product.quantity)}
      </span>
      <span className="sub">in stock</span>
    </>
  );
}

function QuantityInput({ row }: { row: LineOnPage }) {
  const { product, text, problem } = row;
  return (
    <>
      <label className="sr-only" htmlFor={quantityFieldId(row)}>
        Quantity of {product.name}
      </label>
      <input
        id={quantityFieldId(row)}
        className="input num h-9 w-24 scroll-mt-40 bg-base-100 text-right font-medium"
        inputMode="numeric"
        min={product.minimumOrder}
        autoComplete="off"
        value={text}
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
  const { product, unitCents, formerCents, pieces } = row;
  const listed = listPriceFor(pieces, product);
  const reached = product.priceBreaks.findLast(({ quantity }) => quantity <= pieces);
  return (
    <>
      {formerCents !== null && (
        <>
          <span className="sr-only">before </span>
          <s className="pf-was block text-sm">{formatCents(formerCents)}</s>
          <span className="sr-only">, now </span>
        </>
      )}
      {formatCents(unitCents)}
      {unitCents < listed
        ? formerCents !== listed && <span className="sub">list {formatCents(listed)}</span>
        : reached && <span className="sub">from {formatPieces(reached.quantity)}</span>}
    </>
  );
}

import type { StockMove } from '@parts-forge/contract/events/trail';
import type { StockKind } from '@parts-forge/contract/events/trail-events';
import { formatPieces } from '@parts-forge/contract/money/money';
import { Clock, type IconNode, Package, PackagePlus, PencilLine, Undo2 } from 'lucide';
import { Link } from 'react-router';
import { formatMoment } from '#app/ui/format-moment.ts';
import { Icon } from '#app/ui/icon.tsx';
import { formatChange } from '#app/ui/signed.ts';
import { type Column, Table } from '#app/ui/table.tsx';

export const kindNames: Record<StockKind, string> = {
  initial: 'Added',
  order: 'Order',
  cancel: 'Cancelled',
  expiry: 'Not paid in time',
  refund: 'Refunded',
  restock: 'Restock',
  correction: 'Correction',
};

const icons: Record<StockKind, IconNode> = {
  initial: PackagePlus,
  order: Package,
  cancel: Undo2,
  expiry: Clock,
  refund: Undo2,
  restock: PackagePlus,
  correction: PencilLine,
};

/** Expects the newest move first. */
export function LedgerTable({ moves, stock }: { moves: readonly StockMove[]; stock: number }) {
  return (
    <Table
      className="pf-dense pf-ledger"
      caption="Movements of the stock, newest first"
      columns={columns}
      rows={moves}
      getKey={({ at, kind, balance, order = '' }) => `${at} ${kind} ${balance} ${order}`}
      foot={
        // biome-ignore-start lint/a11y/noRedundantRoles: a display other than table drops the implied roles.
        <tr role="row">
          <th role="rowheader" scope="row" colSpan={4}>
            Sum of all movements since the part was added
          </th>
          <td role="cell" className="r">
            {formatPieces(stock)}
          </td>
        </tr>
        // biome-ignore-end lint/a11y/noRedundantRoles: see above.
      }
    />
  );
}

const columns: Column<StockMove>[] = [
  {
    head: 'Movement',
    cell: ({ kind }) => (
      <span className="inline-flex items-center gap-2.5">
        <Icon of={icons[kind]} className="size-4 shrink-0 text-muted" />
        {kindNames[kind]}
      </span>
    ),
  },
  {
    head: 'Time',
    cell: ({ at }) => <span className="whitespace-nowrap text-muted">{formatMoment(at)}</span>,
  },
  { head: 'From', cell: (move) => <Origin move={move} /> },
  {
    head: 'Change',
    right: true,
    cell: ({ change }) => <span className={change > 0 ? 'font-semibold' : ''}>{formatChange(change)}</span>,
  },
  { head: 'Stock after', right: true, cell: ({ balance }) => formatPieces(balance) },
];

function Origin({ move: { order, orderNumber, by, note } }: { move: StockMove }) {
  if (order !== undefined) {
    return (
      <Link className="pf-link" to={`/dashboard/order/${order}`}>
        Order {orderNumber}
      </Link>
    );
  }
  const who = by?.name ?? (by?.kind === 'system' ? 'The shop' : 'An administrator');
  return (
    <span className="[overflow-wrap:anywhere]">
      <bdi>{who}</bdi>
      {note !== undefined && <span className="block text-sm text-muted">{note}</span>}
    </span>
  );
}

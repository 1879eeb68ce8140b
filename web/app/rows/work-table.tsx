import { ArrowDown, ArrowUp, ChevronRight } from 'lucide';
import { type KeyboardEvent, type ReactNode, useEffect, useState } from 'react';
import { focusHeadingIfLost } from '#app/ui/focus-heading.ts';
import { Icon } from '#app/ui/icon.tsx';
import type { RowChoice } from './use-choice.ts';

/** Whether a row is open, and a press that opens or shuts it. */
export interface RowDetail {
  isOpen: boolean;
  toggle: () => void;
}

export interface WorkColumn<Row> {
  head: string;
  /** Place on a phone, and width: `order`, `part`, `who`, `qty`, `sum`, `state`, `act`, … */
  place: string;
  cell: (row: Row, detail: RowDetail) => ReactNode;
  right?: boolean;
  /** The list's sorts by this column; the first press takes `down`, if there is one. */
  sorts?: { down?: string; up: string };
}

export interface WorkTableProps<Row extends { _id: string }> {
  caption: string;
  /** The first column is the row's heading; one with the place `act` has a head for screen readers. */
  columns: readonly WorkColumn<Row>[];
  rows: readonly Row[];
  /** For screen readers: `order 10415`. */
  nameRow: (row: Row) => string;
  isEnded?: (row: Row) => boolean;
  choice?: RowChoice<Row>;
  /** Opens in place, below its row. */
  renderDetail?: (row: Row) => ReactNode;
  /** Rows of the same columns, below an open row; null for none. */
  renderRows?: (row: Row) => ReactNode;
  /** Opens a row by itself, as for a notice within it. */
  mustOpen?: (row: Row) => boolean;
  /** By default its id. */
  getKey?: (row: Row) => string;
  /** Stands below the row; null for none. */
  renderNotice?: (row: Row) => ReactNode;
  sort?: { now: string; change: (sort: string) => void };
  /** The rows still belong to the previous filter. */
  busy?: boolean;
  /** The bar of chosen rows. */
  bar?: ReactNode;
  kind: 'orders' | 'mine' | 'lines' | 'parts' | 'list' | 'users' | 'quotes' | 'prices';
}

/**
 * Rows of 48 px for work in quantity: fixed columns, one action and a menu in a row. Space chooses, Shift
 * extends, Enter opens, the arrows move. Two lines on phones; that changes its display, so every element
 * needs its role.
 */
export function WorkTable<Row extends { _id: string }>(props: WorkTableProps<Row>) {
  const { caption, columns, rows, choice, sort, busy = false, bar, kind } = props;
  const { getKey = (row: Row) => row._id } = props;
  return (
    <div className="pf-work pf-panel" data-kind={kind} aria-busy={busy || undefined}>
      {bar}
      {/* biome-ignore-start lint/a11y/noRedundantRoles: a display other than table drops the implied roles. */}
      <table role="table">
        <caption className="sr-only">{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {choice && (
              <td role="cell" className="check">
                <ChooseListed rows={rows} choice={choice} />
              </td>
            )}
            {columns.map((column) => (
              <Head key={column.head} column={column} sort={sort} />
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <WorkRow key={getKey(row)} row={row} {...props} />
          ))}
        </tbody>
      </table>
      {/* biome-ignore-end lint/a11y/noRedundantRoles: see above. */}
    </div>
  );
}

function ChooseListed<Row extends { _id: string }>({
  rows,
  choice,
}: {
  rows: readonly Row[];
  choice: RowChoice<Row>;
}) {
  const count = rows.filter(choice.has).length;
  const toggle = () => {
    if (count === rows.length) choice.drop(rows);
    else choice.add(rows);
  };
  return (
    <input
      ref={(box) => {
        if (box) box.indeterminate = count > 0 && count < rows.length;
      }}
      type="checkbox"
      className="checkbox checkbox-neutral"
      aria-label={`Choose all ${rows.length} listed`}
      checked={count > 0 && count === rows.length}
      onChange={toggle}
    />
  );
}

type Sort = WorkTableProps<never>['sort'];

function Head<Row>({ column: { head, place, right, sorts }, sort }: { column: WorkColumn<Row>; sort: Sort }) {
  const isBy = (one: string | undefined) => one !== undefined && one === sort?.now;
  const direction = isBy(sorts?.down) ? 'descending' : isBy(sorts?.up) ? 'ascending' : null;
  const arrow = direction === 'descending' ? ArrowDown : ArrowUp;
  return (
    <th
      // biome-ignore lint/a11y/noRedundantRoles: see the table.
      role="columnheader"
      scope="col"
      className={`${place} ${right ? 'r' : ''}`.trimEnd()}
      aria-sort={direction ?? undefined}
    >
      {sorts && sort ? (
        <button
          type="button"
          onClick={() => sort.change(direction === 'descending' ? sorts.up : (sorts.down ?? sorts.up))}
        >
          {head}
          {direction && <Icon of={arrow} className="size-3.5" />}
        </button>
      ) : (
        <span className={place === 'act' ? 'sr-only' : ''}>{head}</span>
      )}
    </th>
  );
}

type WorkRowProps<Row extends { _id: string }> = Omit<WorkTableProps<Row>, 'caption' | 'rows' | 'kind'> & {
  row: Row;
  /** Of a row that is open. */
  isInside?: boolean;
};

export function WorkRow<Row extends { _id: string }>({ row, isInside, ...props }: WorkRowProps<Row>) {
  const { columns, choice, nameRow, isEnded, renderDetail, renderRows, renderNotice } = props;
  const mustOpen = props.mustOpen?.(row) ?? false;
  const [{ isOpen, opened }, setOpen] = useState({ isOpen: mustOpen, opened: mustOpen });
  if (mustOpen !== opened) setOpen({ isOpen: mustOpen || isOpen, opened: mustOpen });
  // The row may have had the focus, as after a dialog.
  useEffect(() => () => void requestAnimationFrame(() => focusHeadingIfLost()), []);
  const [first, ...others] = columns;
  const detail = { isOpen, toggle: () => setOpen({ isOpen: !isOpen, opened }) };
  const span = columns.length + (choice ? 1 : 0);
  return (
    <>
      {/* biome-ignore-start lint/a11y/noRedundantRoles: see the table. */}
      <tr
        role="row"
        className={isInside ? 'row inside' : 'row'}
        data-chosen={choice?.has(row) || undefined}
        data-ended={isEnded?.(row) || undefined}
      >
        {choice && (
          <Choose
            row={row}
            choice={choice}
            nameRow={nameRow}
            toggle={(renderDetail ?? renderRows) && detail.toggle}
          />
        )}
        {first && (
          <th role="rowheader" scope="row" className={first.place}>
            {first.cell(row, detail)}
          </th>
        )}
        {others.map((column) => (
          <td
            key={column.head}
            role="cell"
            className={`${column.place} ${column.right ? 'r num' : ''}`.trimEnd()}
          >
            {column.cell(row, detail)}
          </td>
        ))}
      </tr>
      {/* biome-ignore-end lint/a11y/noRedundantRoles: see the table. */}
      <RowBelow span={span}>{isOpen && renderDetail?.(row)}</RowBelow>
      <RowBelow span={span}>{renderNotice?.(row)}</RowBelow>
      {isOpen && renderRows?.(row)}
    </>
  );
}

interface ChooseProps<Row extends { _id: string }> extends Pick<WorkTableProps<Row>, 'nameRow'> {
  row: Row;
  choice: RowChoice<Row>;
  /** Opens the row's detail, if it has one. */
  toggle: (() => void) | undefined;
}

function Choose<Row extends { _id: string }>({ row, choice, nameRow, toggle }: ChooseProps<Row>) {
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Enter' && toggle) toggle();
    else if (event.key === 'ArrowDown') moveFocus(event.currentTarget, 1);
    else if (event.key === 'ArrowUp') moveFocus(event.currentTarget, -1);
    else return;
    event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/noRedundantRoles: see the table.
    <td role="cell" className="check">
      <input
        ref={(box) => {
          if (box) box.indeterminate = choice.isMixed?.(row) ?? false;
        }}
        type="checkbox"
        className="checkbox checkbox-neutral"
        aria-label={`Choose ${nameRow(row)}`}
        checked={choice.has(row)}
        onChange={({ nativeEvent }) =>
          choice.toggle(row, 'shiftKey' in nativeEvent && nativeEvent.shiftKey === true)
        }
        onKeyDown={press}
      />
    </td>
  );
}

/** Stands in the picture's place of a row that opens. */
export const FoldButton = ({ label, isOpen, toggle }: RowDetail & { label: string }) => (
  <button type="button" className="pf-fold" aria-label={label} aria-expanded={isOpen} onClick={toggle}>
    <Icon of={ChevronRight} className="size-4" />
  </button>
);

interface RowBelowProps {
  span: number;
  className?: string;
  children: ReactNode;
}

export function RowBelow({ span, className = 'more', children }: RowBelowProps) {
  if (!children) return null;
  return (
    // biome-ignore lint/a11y/noRedundantRoles: see the table.
    <tr role="row" className={className}>
      {/* biome-ignore lint/a11y/noRedundantRoles: see the table. */}
      <td role="cell" colSpan={span}>
        {children}
      </td>
    </tr>
  );
}

/** To the checkbox or field of another row. */
export function moveFocus(from: HTMLInputElement, rows: 1 | -1) {
  const fields = [...(from.closest('tbody')?.querySelectorAll('input') ?? [])];
  fields[fields.indexOf(from) + rows]?.focus();
}

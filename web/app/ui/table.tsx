import type { ReactNode } from 'react';

export interface Column<Row> {
  head: string;
  /** The first column is the row's heading. */
  cell: (row: Row) => ReactNode;
  /** Aligns numbers to the right. */
  right?: boolean;
  /** A column of buttons with a head for screen readers. Wrap them in `.acts`. */
  actions?: boolean;
}

interface TableProps<Row> {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  getKey: (row: Row) => string;
  className?: string;
  /** The last row, a `tr`. */
  foot?: ReactNode;
}

/** Turns into cards when narrow. That changes its display, so every element needs its role. */
export function Table<Row>(props: TableProps<Row>) {
  const { caption, columns, rows, getKey, className = '', foot } = props;
  return (
    <div className="pf-tablewrap pf-panel overflow-clip">
      {/* biome-ignore-start lint/a11y/noRedundantRoles: a display other than table drops the implied roles. */}
      <table className={`pf-table ${className}`.trimEnd()} role="table">
        <caption className="sr-only">{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map((column) => (
              <th
                key={column.head}
                role="columnheader"
                scope="col"
                className={column.right || column.actions ? 'r' : ''}
              >
                {column.actions ? <span className="sr-only">{column.head}</span> : column.head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr key={getKey(row)} role="row">
              {columns.map((column, index) => (
                <Cell key={column.head} column={column} first={index === 0} row={row} />
              ))}
            </tr>
          ))}
        </tbody>
        {foot && <tfoot role="rowgroup">{foot}</tfoot>}
      </table>
      {/* biome-ignore-end lint/a11y/noRedundantRoles: see above. */}
    </div>
  );
}

function Cell<Row>({ column, first, row }: { column: Column<Row>; first: boolean; row: Row }) {
  const content = column.cell(row);
  if (first) {
    return (
      // biome-ignore lint/a11y/noRedundantRoles: see the table.
      <th role="rowheader" scope="row">
        {content}
      </th>
    );
  }
  if (column.actions) {
    return (
      // biome-ignore lint/a11y/noRedundantRoles: see the table.
      <td role="cell" className="r pf-actions">
        {content}
      </td>
    );
  }
  return (
    // biome-ignore lint/a11y/noRedundantRoles: see the table.
    <td role="cell" className={column.right ? 'r' : ''} data-label={column.head}>
      <div className="min-w-0">{content}</div>
    </td>
  );
}

import type { UseQueryResult } from '@tanstack/react-query';
import { Plus } from 'lucide';
import type { ReactNode } from 'react';
import { PanelsSkeleton, QueryPanel } from '#app/dashboard/query-panel.tsx';
import { Button } from '#app/ui/button.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { type Column, Table } from '#app/ui/table.tsx';

interface ConnectionsPanelProps<Row> {
  heading: string;
  about: string;
  button: string;
  onNew: () => void;
  query: UseQueryResult<Row[]>;
  /** In place of an empty list. */
  empty: string;
  columns: readonly Column<Row>[];
  children: ReactNode;
}

export function ConnectionsPanel<Row extends { _id: string }>(props: ConnectionsPanelProps<Row>) {
  const { heading, about, button, onNew, query, empty, columns, children } = props;
  return (
    <section
      className="pf-panel overflow-clip [&>.pf-tablewrap]:border-0 xl:[&_:is(th,td):first-child]:pl-6 xl:[&_:is(th,td):last-child]:pr-6"
      aria-labelledby={heading}
    >
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 px-6 py-5">
        <div>
          <h2 id={heading} className="display pb-1 text-h4">
            {heading}
          </h2>
          <p className="max-w-[65ch] text-sm text-muted">{about}</p>
        </div>
        <Button kind="line" size="bar" onClick={onNew}>
          <Icon of={Plus} className="size-4" />
          {button}
        </Button>
      </div>
      <QueryPanel query={query} what="The list" skeleton={<PanelsSkeleton heights={['h-24']} />}>
        {(rows) =>
          rows.length === 0 ? (
            <p className="px-6 pb-6 text-muted">{empty}</p>
          ) : (
            <Table
              className="pf-dense"
              caption={heading}
              columns={columns}
              rows={rows}
              getKey={({ _id }) => _id}
            />
          )
        }
      </QueryPanel>
      {children}
    </section>
  );
}

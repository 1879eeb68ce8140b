import { MAX_ALIAS } from '@parts-forge/contract/calls/bounds';
import type { Alias } from '@parts-forge/contract/orders/aliases';
import { partPath } from '@parts-forge/contract/products/part-rules';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Tags } from 'lucide';
import { Link } from 'react-router';
import { NoMatch } from '#app/dashboard/no-match.tsx';
import { PagedList } from '#app/dashboard/paged-list.tsx';
import { ConfirmChange } from '#app/forms/confirm-change.tsx';
import { FormDialog } from '#app/forms/form-dialog.tsx';
import { RowPart } from '#app/products/row-part.tsx';
import { Button } from '#app/ui/button.tsx';
import { Field } from '#app/ui/field.tsx';
import { formatMoment } from '#app/ui/format-moment.ts';
import { Notice } from '#app/ui/notice.tsx';
import { type Column, Table } from '#app/ui/table.tsx';
import { useQuestion } from '#app/ui/use-question.ts';
import { WorkSkeleton } from '#app/ui/work-skeleton.tsx';
import { aliasListQueryOptions, useRemoveAlias, useWriteAlias } from './queries.ts';

/** Names, their parts and what can be done with them. */
export function NamesList({ q }: { q: string }) {
  const list = useInfiniteQuery(aliasListQueryOptions(q));
  const renaming = useQuestion((row: Alias, close) => <RenameDialog row={row} onClose={close} />);
  const removal = useQuestion((row: Alias, close) => <RemoveDialog row={row} onClose={close} />);
  return (
    <>
      <PagedList
        list={list}
        what="Your names"
        skeleton={<WorkSkeleton />}
        empty={q ? <NoMatches /> : <NoNames />}
      >
        {(rows) => (
          <Table
            className="pf-dense"
            caption="Own names of parts"
            columns={listColumns(renaming.ask, removal.ask)}
            rows={rows}
            getKey={({ alias }) => alias}
          />
        )}
      </PagedList>
      {renaming.dialog}
      {removal.dialog}
    </>
  );
}

type Act = (row: Alias) => void;

const listColumns = (onRename: Act, onRemove: Act): Column<Alias>[] => [
  { head: 'Name', cell: ({ alias }) => <bdi className="[overflow-wrap:anywhere]">{alias}</bdi> },
  { head: 'Part', cell: ({ product }) => <Part product={product} /> },
  {
    head: 'Last used',
    cell: ({ lastUsedAt }) => (
      <span className="num sm:whitespace-nowrap">{lastUsedAt ? formatMoment(lastUsedAt) : 'never'}</span>
    ),
  },
  {
    head: 'Action',
    actions: true,
    cell: (row) => (
      <span className="acts flex justify-end gap-2">
        <Button kind="line" size="row" aria-label={`Rename ${row.alias}`} onClick={() => onRename(row)}>
          Rename
        </Button>
        <Button
          kind="danger-line"
          size="row"
          aria-label={`Remove ${row.alias}`}
          onClick={() => onRemove(row)}
        >
          Remove
        </Button>
      </span>
    ),
  },
];

function Part({ product }: Pick<Alias, 'product'>) {
  const { name, number, image, gone } = product;
  return (
    <span className="[overflow-wrap:anywhere] [&>span]:flex [&>span]:items-center [&>span]:gap-2.5">
      <RowPart image={image}>
        {gone ? (
          name
        ) : (
          <Link className="hover:underline" to={partPath(product)}>
            {name}
          </Link>
        )}
        <span className="num block text-micro text-muted [overflow-wrap:anywhere]">
          {number}
          {gone && ', no longer sold'}
        </span>
      </RowPart>
    </span>
  );
}

interface RowDialogProps {
  row: Alias;
  onClose: () => void;
}

function RenameDialog({ row: { alias, product }, onClose }: RowDialogProps) {
  const renaming = useWriteAlias();
  const rename = (name: string) =>
    renaming.mutate({ alias: name, productId: product._id, was: alias }, { onSuccess: onClose });
  return (
    <FormDialog
      title={<bdi>Rename {alias}</bdi>}
      confirm="Rename"
      state={renaming}
      onClose={onClose}
      onSend={({ alias: name = '' }) => rename(name)}
    >
      {(field) => (
        <Field
          label={`Your name of ${product.number}`}
          data-focus-first
          required
          defaultValue={alias}
          maxLength={MAX_ALIAS}
          {...field('alias')}
        />
      )}
    </FormDialog>
  );
}

const RemoveDialog = ({ row, onClose }: RowDialogProps) => (
  <ConfirmChange
    title={<bdi>Remove {row.alias}?</bdi>}
    safe="Keep name"
    confirm="Remove name"
    change={useRemoveAlias()}
    input={row}
    onClose={onClose}
  >
    Lists with it will ask for the part again.
  </ConfirmChange>
);

const NoMatches = () => (
  <NoMatch icon={Tags} title="No names match" what="names">
    Try fewer letters, the part number or its name.
  </NoMatch>
);

const NoNames = () => (
  <Notice icon={Tags} title="No own names yet">
    Choose the part of a line that could not be read, and its name is remembered. Or add a CSV file or
    workbook with the columns “name” and “part number”.
  </Notice>
);

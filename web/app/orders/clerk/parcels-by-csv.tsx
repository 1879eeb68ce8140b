import { readDay } from '@parts-forge/contract/days';
import { formatPieces } from '@parts-forge/contract/money';
import type { BulkResult } from '@parts-forge/contract/order-bulk';
import { useState } from 'react';
import { Link } from 'react-router';
import { useShopTimeZone } from '#app/calls/shop-config.ts';
import { PageHeading } from '#app/dashboard/page-heading.tsx';
import { describeError } from '#app/errors/describe-error.ts';
import { FormError } from '#app/forms/form-error.tsx';
import { useAddParcels } from '#app/orders/queries.ts';
import { Button } from '#app/ui/button.tsx';
import { TextArea } from '#app/ui/field.tsx';
import { FileLabel } from '#app/ui/file-label.tsx';
import { readTextFile } from '#app/ui/read-text-file.ts';
import { type Column, Table } from '#app/ui/table.tsx';
import { beginSentDay, type DatedParcel, readParcels } from './read-parcels.ts';

/** Adds the parcels of a carrier's file, and says which lines were refused. */
export function ParcelsByCsv() {
  const timeZone = useShopTimeZone();
  const [text, setText] = useState('');
  const [unread, setUnread] = useState<unknown>(null);
  const adding = useAddParcels();
  const { parcels, problem } = tryToRead(text, timeZone);
  const type = (next: string) => {
    if (adding.isPending) return;
    setText(next);
    setUnread(null);
    adding.reset();
  };
  const error = unread ?? problem ?? adding.error;
  // The refused ones first.
  const rows = parcels
    .map((parcel, index) => ({ parcel, index, result: adding.data?.[index] }))
    .toSorted((a, b) => Number(a.result?.ok) - Number(b.result?.ok) || 0);
  const send = () =>
    adding.mutate(parcels.map((each) => ({ ...each, sentAt: beginSentDay(each.sentAt, timeZone) })));
  const count = `${formatPieces(parcels.length)} ${parcels.length === 1 ? 'parcel' : 'parcels'}`;
  return (
    <>
      <PageHeading
        title="Parcels by CSV"
        above={
          <Link className="pf-link" to="/dashboard/pick-list">
            Pick list
          </Link>
        }
        actions={
          <FileLabel
            className="btn btn-line h-11 bg-base-100"
            aria-label="Choose a CSV file"
            accept=".csv,.tsv,.txt,text/csv"
            onChoose={(file) => readTextFile([file]).then(type, setUnread)}
          >
            Choose a CSV file
          </FileLabel>
        }
      />
      <TextArea
        label="Lines of the file"
        rows={6}
        value={text}
        hint="Columns: order, carrier, number, and if you like sent (2026-11-21) and pieces."
        onChange={(event) => type(event.target.value)}
      />
      {error !== null && (
        <FormError error={error} className="mt-6">
          {describeError(error)}
        </FormError>
      )}
      {rows.length > 0 && (
        <div className="mt-6 grid gap-4">
          {adding.data && (
            <p ref={focus} tabIndex={-1} className="font-medium">
              {`${formatPieces(adding.data.filter(({ ok }) => ok).length)} of ${count} added.`}
            </p>
          )}
          <Table
            className="pf-dense"
            caption="Parcels"
            columns={columns}
            rows={rows}
            getKey={({ index }) => String(index)}
          />
          {!adding.data && (
            <Button
              kind="primary"
              className="justify-self-start"
              busy={adding.isPending}
              busyLabel="Adding…"
              onClick={send}
            >
              Add {count}
            </Button>
          )}
        </div>
      )}
    </>
  );
}

const focus = (element: HTMLElement | null) => element?.focus();

function tryToRead(text: string, timeZone: string): { parcels: DatedParcel[]; problem: unknown } {
  try {
    return { parcels: readParcels(text, readDay(new Date(), timeZone)), problem: null };
  } catch (problem) {
    return { parcels: [], problem };
  }
}

interface Row {
  parcel: DatedParcel;
  index: number;
  /** Absent before it is sent. */
  result: BulkResult | undefined;
}

const columns: Column<Row>[] = [
  { head: 'Order', cell: ({ parcel }) => parcel.order },
  { head: 'Carrier', cell: ({ parcel }) => parcel.carrier },
  { head: 'Number', cell: ({ parcel }) => parcel.number },
  { head: 'Sent', cell: ({ parcel }) => <span className="whitespace-nowrap">{parcel.sentAt}</span> },
  { head: 'Pieces', cell: ({ parcel }) => parcel.quantity ?? '–', right: true },
  {
    head: 'Result',
    cell: ({ result }) =>
      result && (result.ok ? 'added' : <span className="text-error">{result.error?.detail}</span>),
  },
];

import { MAX_PARCEL_LINES } from '@parts-forge/contract/calls/bounds';
import { formatPieces } from '@parts-forge/contract/money/money';
import { readParcelFile } from '@parts-forge/contract/orders/order-bulk';
import { useMutation } from '@tanstack/react-query';
import { callShop } from '#app/calls/api-client.ts';
import { PageHeading, ParentLink } from '#app/dashboard/page-heading.tsx';
import { FormError } from '#app/forms/form-error.tsx';
import { FileLabel } from '#app/ui/file-label.tsx';
import { takeFile, useFileDrop } from '#app/ui/files.ts';
import { ParcelsOfFile } from './parcels-of-file.tsx';

/** Adds the parcels of a carrier's file, after a preview of each line. */
export default function ParcelsByCsv() {
  const reading = useMutation({ mutationFn: readFile });
  const drop = useFileDrop(reading.mutate);
  const { data, submittedAt } = reading;
  return (
    <>
      <PageHeading
        title="Parcels by CSV"
        above={<ParentLink to="/dashboard/pick-list">Pick list</ParentLink>}
      />
      <FormError error={reading.error} className="mb-6" advice="Nothing is added." />
      <FileLabel
        className="pf-drop block p-6"
        aria-label="Choose a CSV file or workbook"
        accept=".csv,.tsv,.txt,.xlsx,text/csv"
        onChoose={(file) => reading.mutate([file])}
        frame={drop}
      >
        <span className="block font-semibold [overflow-wrap:anywhere]" role="status">
          {reading.isPending ? 'Reading…' : (data?.name ?? 'Choose a CSV file or workbook, or drop it here')}
        </span>
        <span className="text-sm text-muted">
          {data
            ? `${formatPieces(data.table.lines.length)} lines. ${data.table.notes.join(' ')} Choose or drop another file here.`
            : `A carrier’s own file, or columns order, carrier, number, sent and pieces. Up to ${formatPieces(MAX_PARCEL_LINES)} lines. You see every parcel before it is added.`}
        </span>
      </FileLabel>
      {data && <ParcelsOfFile key={submittedAt} table={data.table} onDiscard={reading.reset} />}
    </>
  );
}

async function readFile(files: readonly File[]) {
  const { name, file } = takeFile(files);
  return { name, table: (await callShop(readParcelFile, { file })).data };
}

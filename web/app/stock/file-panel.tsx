import { MAX_IMPORT_LINES } from '@parts-forge/contract/calls/bounds';
import { CATALOGUE_COLUMNS } from '@parts-forge/contract/files/catalogue-file';
import { formatPieces } from '@parts-forge/contract/money/money';
import { FileSpreadsheet, Upload } from 'lucide';
import { CopyTextButton } from '#app/ui/copy-button.tsx';
import { FileLabel } from '#app/ui/file-label.tsx';
import { useFileDrop } from '#app/ui/files.ts';
import { Icon } from '#app/ui/icon.tsx';
import { Table } from '#app/ui/table.tsx';

interface FilePanelProps {
  name: string | null;
  busy: boolean;
  onChoose: (files: readonly File[]) => void;
}

const example = [
  ['number', 'name', 'description', 'price', 'minimum order', 'stock was', 'stock'],
  ['PF-D6101', '', '', '64.50', '', '24800', '25800'],
  ['PF-B4501', '', '', '9.10', '', '', ''],
  ['PF-NEW1', 'Back glass, moss', 'Rear glass with adhesive', '11.60', '50', '', '2000'],
] as const;
const priceExample = [
  ['customer', 'number', 'from', 'price', 'until'],
  ['ana@fieldrepair.example', 'PF-D6101', '50', '57.90', '2027-06-30'],
  ['ana@fieldrepair.example', 'PF-B4501', '', '8.20', '(none)'],
] as const;

/** Accepts a chosen or dropped file; one line once it has one, else with an example to copy. */
export function FilePanel({ name, busy, onChoose }: FilePanelProps) {
  const drop = useFileDrop(onChoose);
  return (
    <section className="pf-panel grid grid-cols-[minmax(0,1fr)] gap-4 p-4 sm:px-5" aria-label="File">
      <FileLabel
        className={`pf-drop flex flex-wrap items-center justify-center gap-x-3 p-3 ${name === null ? 'min-h-20' : ''}`.trimEnd()}
        aria-label={name === null ? 'Choose a CSV file or workbook' : 'Replace the file'}
        accept=".csv,.tsv,.txt,.xlsx,text/csv,image/*"
        multiple
        onChoose={(_, files) => onChoose(files)}
        frame={drop}
      >
        <Icon of={name === null ? Upload : FileSpreadsheet} className="size-5 text-muted" />
        <span className="font-semibold [overflow-wrap:anywhere]" role={busy ? 'status' : undefined}>
          {busy ? 'Reading…' : (name ?? 'Choose a CSV file or workbook')}
        </span>
        <span className="text-sm text-muted">
          {name === null
            ? `or drop it here. Up to ${formatPieces(MAX_IMPORT_LINES)} lines; you see every change before it is made.`
            : 'Choose or drop another file'}
        </span>
      </FileLabel>
      {name === null && <PartsExample />}
      {name === null && <PricesExample />}
    </section>
  );
}

interface ExampleProps {
  /** Such as `the example`. */
  name: string;
  heading: string;
  /** The first row names the columns. */
  rows: readonly (readonly string[])[];
}

function Example({ name, heading, rows: [heads = [], ...lines] }: ExampleProps) {
  // With tabs, so that it can be pasted into a spreadsheet.
  const text = [heads, ...lines].map((cells) => cells.join('\t')).join('\n');
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="font-semibold">{heading}</h2>
        <CopyTextButton name={name} text={text} />
      </div>
      <Table
        className="pf-dense"
        caption={heading}
        columns={heads.map((head, at) => ({ head, cell: (cells: readonly string[]) => cells[at] }))}
        rows={lines}
        getKey={(cells) => cells.join()}
      />
    </>
  );
}

function PricesExample() {
  return (
    <>
      <Example name="the example of prices" heading="Customers’ prices look like this" rows={priceExample} />
      <p className="text-sm text-muted">
        A column <b>customer</b> makes it a file of agreed prices. An empty <b>from</b> means from the first
        piece; an empty <b>until</b> keeps the end that is there, (none) takes it away. <b>remove</b> with yes
        ends a price.
      </p>
    </>
  );
}

function PartsExample() {
  return (
    <>
      <Example name="the example" heading="A file looks like this" rows={example} />
      <p className="text-sm text-muted">
        <b>PF-D6101</b> gets a price and 1,000 pieces; “stock was” guards against orders in between.{' '}
        <b>PF-B4501</b>: an empty cell keeps what is there, (none) empties it. <b>PF-NEW1</b> has a number
        that no part has, so it is new: drop its picture PF-NEW1.jpg beside the file.
      </p>
      <details className="text-sm text-muted">
        <summary className="pf-link inline-flex min-h-6 cursor-pointer items-center font-medium text-base-content">
          All {CATALOGUE_COLUMNS.length} columns
        </summary>
        <p className="mt-2">
          {CATALOGUE_COLUMNS.join(', ')}. Only <b>number</b> is needed; <b>add</b> is pieces to add. A new
          part needs a name, a description, a price, a minimum order and a picture. Drop pictures beside the
          file: it names them by file name, or they are named by part number, as PF-1.jpg and PF-1-2.jpg.
          Spreadsheets change numbers such as 00123 in CSV files: use XLSX with them. A file of more lines is
          split before it is sent back.
        </p>
      </details>
    </>
  );
}

import { MAX_IMPORT_LINES } from '@parts-forge/contract/calls/bounds';
import { CATALOGUE_COLUMNS } from '@parts-forge/contract/files/catalogue-file';
import { formatCount, formatPieces } from '@parts-forge/contract/money/money';
import type { Import } from '@parts-forge/contract/products/catalogue';
import { Upload } from 'lucide';
import { CopyTextButton } from '#app/ui/copy-button.tsx';
import { FileLabel } from '#app/ui/file-label.tsx';
import { useFileDrop } from '#app/ui/files.ts';
import { Icon } from '#app/ui/icon.tsx';
import { Table } from '#app/ui/table.tsx';
import { Stage } from './stage.tsx';

interface FilePanelProps {
  /** Its preview; absent before one was read. */
  found?: Import;
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
export function FilePanel({ found, busy, onChoose }: FilePanelProps) {
  const drop = useFileDrop(onChoose);
  const label = found ? 'Other file' : 'Choose a CSV file or workbook';
  const picker = (
    <FileLabel
      className={found ? 'pf-link pf-fix text-sm font-medium' : 'pf-drop'}
      aria-label={label}
      accept=".csv,.tsv,.txt,.xlsx,text/csv,image/*"
      multiple
      onChoose={(_, files) => onChoose(files)}
    >
      {!found && <Icon of={Upload} className="size-5 text-muted" />}
      <b className="font-semibold" role={busy ? 'status' : undefined}>
        {busy ? 'Reading…' : label}
      </b>
      {!found && ' or drop it here'}
    </FileLabel>
  );
  if (found) return <Stage {...drop} at={1} title="File" said={describeFile(found)} action={picker} />;
  return (
    <Stage
      {...drop}
      at={1}
      title="File"
      said={`CSV or XLSX, up to ${formatPieces(MAX_IMPORT_LINES)} lines. You see every change before it is made.`}
    >
      {picker}
      <PartsExample />
      <PricesExample />
    </Stage>
  );
}

const describeFile = ({ name, counts }: Import) => (
  <>
    <b dir="auto">{name}</b>,{' '}
    {formatCount(counts.new + counts.changed + counts.unchanged + counts.refused, 'line')}
  </>
);

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
        <h3 className="font-semibold">{heading}</h3>
        <CopyTextButton name={name} text={text} />
      </div>
      <Table
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
    <div className="pf-sample">
      <Example name="the example of prices" heading="Customers’ prices look like this" rows={priceExample} />
      <p className="text-sm text-muted">
        A column <b>customer</b> makes it a file of agreed prices. An empty <b>from</b> means from the first
        piece; an empty <b>until</b> keeps the end that is there, (none) takes it away. <b>remove</b> with yes
        ends a price.
      </p>
    </div>
  );
}

function PartsExample() {
  return (
    <div className="pf-sample">
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
    </div>
  );
}

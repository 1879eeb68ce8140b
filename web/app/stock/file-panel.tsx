import { MAX_IMPORT_LINES } from '@parts-forge/contract/bounds';
import { CATALOGUE_COLUMNS } from '@parts-forge/contract/catalogue-file';
import { formatPieces } from '@parts-forge/contract/money';
import { FileSpreadsheet, Upload } from 'lucide';
import { type DragEvent, useState } from 'react';
import { FileLabel } from '#app/ui/file-label.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { Panel } from '#app/ui/panel.tsx';

interface FilePanelProps {
  /** Null for none. */
  name: string | null;
  busy: boolean;
  onChoose: (files: readonly File[]) => void;
}

/** Accepts a chosen or dropped file. */
export function FilePanel({ name, busy, onChoose }: FilePanelProps) {
  const drop = useFileDrop(onChoose);
  return (
    <Panel heading="File">
      <FileLabel
        className="pf-drop grid justify-items-center gap-2 p-8 text-center"
        aria-label={name === null ? 'Choose a CSV file or workbook' : 'Replace the file'}
        accept=".csv,.tsv,.txt,.xlsx,text/csv,image/*"
        multiple
        onChoose={(_, files) => onChoose(files)}
        frame={drop}
      >
        <Icon of={name === null ? Upload : FileSpreadsheet} className="size-7 text-muted" />
        <span className="font-semibold [overflow-wrap:anywhere]" role={busy ? 'status' : undefined}>
          {busy ? 'Reading…' : (name ?? 'Choose a CSV file or workbook')}
        </span>
        <span className="text-balance text-micro text-muted">
          {name === null ? 'or drop it here' : 'Choose or drop another file here'}. Up to{' '}
          {formatPieces(MAX_IMPORT_LINES)} lines. You see every change before it is made.
        </span>
      </FileLabel>
      <p className="mt-4 text-sm text-muted">
        Columns: {CATALOGUE_COLUMNS.join(', ')}. Only <b>number</b> is needed; <b>add</b> is pieces to add. An
        empty cell changes nothing, (none) empties a list. A number that no part has is a new part, which
        needs a name, a description, a price, a minimum order and a picture. Drop pictures beside the file: it
        names them by file name, or they are named by part number, as PF-1.jpg and PF-1-2.jpg. Spreadsheets
        change numbers such as 00123 in CSV files: use XLSX with them. A file of more lines is split before it
        is sent back.
      </p>
    </Panel>
  );
}

export function useFileDrop(onDrop: FilePanelProps['onChoose']) {
  const [isOver, setOver] = useState(false);
  return {
    onDragOver: (event: DragEvent) => {
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      setOver(false);
      onDrop([...event.dataTransfer.files]);
    },
    'data-over': isOver || undefined,
  };
}

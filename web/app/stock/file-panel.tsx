import { MAX_IMPORT_LINES } from '@parts-forge/contract/bounds';
import { CATALOGUE_COLUMNS } from '@parts-forge/contract/catalogue-file';
import { formatPieces } from '@parts-forge/contract/money';
import { FileSpreadsheet, Upload } from 'lucide';
import { type DragEvent, useEffect, useRef, useState } from 'react';
import { FileLabel } from '#app/ui/file-label.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { Panel } from '#app/ui/panel.tsx';

const input = { accept: '.csv,.tsv,.txt,.xlsx,text/csv' };

interface FilePanelProps {
  /** Null for none. */
  name: string | null;
  busy: boolean;
  onChoose: (files: readonly File[]) => void;
}

/** Accepts a chosen or dropped file, and pasted or dropped lines. */
export function FilePanel({ name, busy, onChoose }: FilePanelProps) {
  usePastedLines(onChoose);
  const drop = useFileDrop(onChoose);
  const choose = (file: File) => onChoose([file]);
  return (
    <Panel heading="File">
      {name === null ? (
        <FileLabel
          className="pf-drop grid justify-items-center gap-2 p-8 text-center"
          aria-label="Choose a CSV file or workbook"
          {...input}
          onChoose={choose}
          frame={drop}
        >
          <Icon of={Upload} className="size-7 text-muted" />
          <span className="font-semibold" role={busy ? 'status' : undefined}>
            {busy ? 'Reading…' : 'Choose a CSV file or workbook'}
          </span>
          <span className="text-balance text-micro text-muted">
            or drop it here, or paste its lines. Up to {formatPieces(MAX_IMPORT_LINES)} lines. You see every
            change before it is made.
          </span>
        </FileLabel>
      ) : (
        <div className="pf-drop flex flex-wrap items-center gap-x-4 gap-y-3 p-4" {...drop}>
          <Icon of={FileSpreadsheet} className="size-6 shrink-0 text-muted" />
          <p className="num min-w-0 flex-1 basis-40 truncate font-medium">{busy ? 'Reading…' : name}</p>
          <FileLabel className="btn btn-line h-10" aria-label="Replace the file" {...input} onChoose={choose}>
            Replace
          </FileLabel>
        </div>
      )}
      <p className="mt-4 text-sm text-muted">
        Columns: {CATALOGUE_COLUMNS.join(', ')}. Only <b>number</b> is needed; <b>add</b> is pieces to add. An
        empty cell changes nothing, (none) empties a list. A number that no part has is a new part.
        Spreadsheets change numbers such as 00123 in CSV files: use XLSX with them.
      </p>
    </Panel>
  );
}

function useFileDrop(onDrop: FilePanelProps['onChoose']) {
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
      const text = event.dataTransfer.getData('text/plain');
      const files = [...event.dataTransfer.files];
      onDrop(files.length === 0 && text.trim() !== '' ? [toFile('Dropped lines', text)] : files);
    },
    'data-over': isOver || undefined,
  };
}

const toFile = (name: string, text: string): File => new File([text], name, { type: 'text/csv' });

/** Lines pasted outside a field count as a file. */
function usePastedLines(onChoose: FilePanelProps['onChoose']): void {
  const latest = useRef(onChoose);
  useEffect(() => {
    latest.current = onChoose;
  });
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      const isField =
        event.target instanceof Element && event.target.matches('input:not([type=file]), textarea');
      const text = event.clipboardData?.getData('text/plain') ?? '';
      if (!isField && text.trim() !== '') latest.current([toFile('Pasted lines', text)]);
    };
    document.addEventListener('paste', paste);
    return () => document.removeEventListener('paste', paste);
  }, []);
}

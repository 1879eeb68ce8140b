import { formatPieces } from '@parts-forge/contract/money';
import { FileSpreadsheet, Upload } from 'lucide';
import { type DragEvent, useEffect, useRef, useState } from 'react';
import { formatBytes } from '#app/products/check-picture.ts';
import { FileLabel } from '#app/ui/file-label.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { PartsFile } from './parts-file.tsx';
import { MAX_FILE_LINES } from './read-changes.ts';
import type { Choice, RestockFile } from './use-restock-file.ts';

const accept = '.csv,.tsv,.txt,text/csv';

interface FilePanelProps {
  /** Null for none. */
  file: RestockFile | null;
  /** The number of changes. */
  lines: number;
  busy: boolean;
  onChoose: (choice: Choice) => void;
}

/** Accepts a chosen or dropped file, and pasted or dropped lines. */
export function FilePanel({ file, lines, busy, onChoose }: FilePanelProps) {
  usePastedLines(onChoose);
  const choose = (chosen: File) => onChoose([chosen]);
  const drop = useFileDrop(onChoose);
  return (
    <section
      className="pf-panel grid grid-cols-[minmax(0,1fr)] gap-x-8 gap-y-6 p-6 lg:grid-cols-[minmax(0,1fr)_18rem]"
      aria-labelledby="file"
    >
      <div className="flex flex-col">
        <h2 id="file" className="display text-h4">
          File
        </h2>
        {file ? (
          <ChosenFile file={file} lines={lines} drop={drop} onChoose={choose} />
        ) : (
          <FileLabel
            className="pf-drop mt-4 grid flex-1 content-center justify-items-center gap-2 p-8 text-center"
            aria-label="Choose a CSV file"
            accept={accept}
            onChoose={choose}
            frame={drop}
          >
            <Icon of={Upload} className="size-7 text-muted" />
            <span className="font-semibold" role={busy ? 'status' : undefined}>
              {busy ? 'Reading…' : 'Choose a CSV file'}
            </span>
            <span className="text-balance text-micro text-muted">
              or drop it here, or paste its lines. Up to {formatPieces(MAX_FILE_LINES)} changes. You see every
              change before it is made.
            </span>
          </FileLabel>
        )}
      </div>
      <ColumnsHelp />
    </section>
  );
}

function useFileDrop(onDrop: (choice: Choice) => void) {
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
      onDrop(files.length === 0 && text.trim() !== '' ? { name: 'Dropped lines', text } : files);
    },
    'data-over': isOver || undefined,
  };
}

interface ChosenFileProps {
  file: RestockFile;
  lines: number;
  drop: ReturnType<typeof useFileDrop>;
  onChoose: (file: File) => void;
}

function ChosenFile({ file, lines, drop, onChoose }: ChosenFileProps) {
  return (
    <div className="pf-drop mt-4 flex flex-1 flex-wrap items-center gap-x-4 gap-y-3 p-4" {...drop}>
      <Icon of={FileSpreadsheet} className="size-6 shrink-0 text-muted" />
      <p className="num min-w-0 flex-1 basis-40">
        <span className="block truncate font-medium">{file.name}</span>
        <span className="text-sm text-muted">
          {lines === 1 ? '1 line' : `${formatPieces(lines)} lines`}, {formatBytes(new Blob([file.text]).size)}
        </span>
      </p>
      <FileLabel
        className="btn btn-line h-10"
        aria-label="Replace the file"
        accept={accept}
        onChoose={onChoose}
      >
        Replace
      </FileLabel>
    </div>
  );
}

/** Lines pasted outside a field count as a file. */
function usePastedLines(onChoose: (choice: Choice) => void): void {
  const latest = useRef(onChoose);
  useEffect(() => {
    latest.current = onChoose;
  });
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      const isField =
        event.target instanceof Element && event.target.matches('input:not([type=file]), textarea');
      const text = event.clipboardData?.getData('text/plain') ?? '';
      if (!isField && text.trim() !== '') latest.current({ name: 'Pasted lines', text });
    };
    document.addEventListener('paste', paste);
    return () => document.removeEventListener('paste', paste);
  }, []);
}

function ColumnsHelp() {
  return (
    <div className="border-base-300 lg:border-l lg:pl-8">
      <h3 className="text-sm font-semibold">Columns</h3>
      <dl className="pf-spec mt-1.5 text-[0.9375rem]">
        {[
          ['number', 'part number'],
          ['add', 'pieces to add'],
          ['price', 'new price, or empty'],
        ].map(([name, meaning]) => (
          <div key={name} className="!py-1">
            <dt className="num">{name}</dt>
            <dd className="!font-normal">{meaning}</dd>
          </div>
        ))}
      </dl>
      <p className="num mt-3 rounded-field bg-base-200 px-3 py-2 text-sm leading-6">
        number,add,price
        <br />
        PF-D6701,5000,91.00
        <br />
        PF-B4501,20000,
      </p>
      <PartsFile />
    </div>
  );
}

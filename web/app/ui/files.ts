import { MAX_BATCH_FILE_BYTES } from '@parts-forge/contract/calls/bounds';
import { WORKBOOK_TYPE } from '@parts-forge/contract/products/catalogue';
import { type DragEvent, useState } from 'react';

/** @throws Error for several files, and for none with `missing` */
export function takeFile(files: readonly File[], missing = 'This is no file.') {
  const [file] = files;
  if (!file) throw new Error(missing);
  if (files.length > 1) throw new Error(`These are ${files.length} files. Choose one at a time.`);
  const type = /\.xlsx$/i.test(file.name) ? WORKBOOK_TYPE : 'text/csv';
  return { name: file.name.slice(0, 120), file: new Blob([file], { type }) };
}

/**
 * A list for the batch, of which the shop finds the kind. It is read here, as a file that is no longer there
 * fails without a reason when it is sent.
 * @throws Error as `takeFile`, for a file that is too large and for one that the browser cannot read
 */
export async function readListFile(files: readonly File[]): Promise<Blob> {
  const { name, file } = takeFile(files);
  if (file.size > MAX_BATCH_FILE_BYTES)
    throw new Error(`“${name}” is larger than 5 MB: it is no list of parts.`);
  try {
    return new Blob([(await files[0]?.arrayBuffer()) ?? ''], { type: file.type });
  } catch {
    throw new Error(`“${name}” cannot be read. Is it still there, and on this device? Choose it again.`);
  }
}

export function useFileDrop(onDrop: (files: readonly File[]) => void) {
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

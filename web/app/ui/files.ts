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

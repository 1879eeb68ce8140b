import { useEffect } from 'react';

interface Takers {
  addFile: (files: readonly File[]) => unknown;
  addText: (text: string) => void;
}

/** Files dropped or pasted anywhere on the page, and text pasted outside of a field. */
export function useDrops({ addFile, addText }: Takers): void {
  useEffect(() => {
    const ac = new AbortController();
    const { signal } = ac;
    document.addEventListener(
      'dragover',
      (event) => event.dataTransfer?.types.includes('Files') && event.preventDefault(),
      { signal },
    );
    document.addEventListener(
      'drop',
      (event) => {
        const files = [...(event.dataTransfer?.files ?? [])];
        // The browser inserts dropped text itself.
        if (files.length === 0) return;
        event.preventDefault();
        addFile(files);
      },
      { signal },
    );
    document.addEventListener(
      'paste',
      (event) => {
        // Spreadsheets copy a picture of their cells, too.
        const files = [...(event.clipboardData?.files ?? [])].filter(({ type }) => !/^image\//.test(type));
        const text = event.clipboardData?.getData('text/plain') ?? '';
        const isInField = event.target instanceof Element && event.target.closest('input, textarea, dialog');
        if (files.length > 0) addFile(files);
        else if (text.trim() !== '' && !isInField) addText(text);
        else return;
        event.preventDefault();
      },
      { signal },
    );
    return () => ac.abort();
  });
}

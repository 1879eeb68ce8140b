import { onTestFinished, vi } from 'vitest';

interface SavedFile {
  name: string;
  blob: Blob;
}

/** Collects the files that the page saves, until the end of the test. */
export function watchSavedFiles(): SavedFile[] {
  const files: SavedFile[] = [];
  const blobs = new Map<string, Blob>();
  const createObjectURL = vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    const address = `blob:${blobs.size}`;
    blobs.set(address, blob as Blob);
    return address;
  });
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    const blob = blobs.get(this.href);
    if (blob) files.push({ name: this.download, blob });
  });
  onTestFinished(() => {
    createObjectURL.mockRestore();
    click.mockRestore();
  });
  return files;
}

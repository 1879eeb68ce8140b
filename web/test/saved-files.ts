import { onTestFinished, vi } from 'vitest';

/** A file that the page had the browser save. */
interface SavedFile {
  name: string;
  blob: Blob;
}

/** Takes what the page has the browser save, until the test is over. */
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

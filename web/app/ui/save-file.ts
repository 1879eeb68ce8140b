/** Has the browser save a text as a file. @param type media type, such as `text/plain` */
export function saveFile(name: string, text: string, type: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser has taken the text over when the click has been handled.
  setTimeout(() => URL.revokeObjectURL(address), 0);
}

/** Has the browser download what an address of this shop gives; the answer names the file. */
export function openDownload(address: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = '';
  link.click();
}

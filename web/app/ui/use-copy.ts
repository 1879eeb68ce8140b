import { useState } from 'react';

/** Copies a text to the clipboard. `copied` until `forget`, which belongs where the button loses the focus. */
export function useCopy(text: string) {
  const [copied, setCopied] = useState(false);
  return {
    copied,
    copy: async () => {
      try {
        await navigator.clipboard.writeText(text);
        setCopied(true);
      } catch {
        // The clipboard may be forbidden; the text stands beside the button and can be selected.
      }
    },
    forget: () => setCopied(false),
  };
}

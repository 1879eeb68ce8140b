import { useState } from 'react';

/** Call `forget` when the button loses the focus. */
export function useCopy(text: string) {
  const [copied, setCopied] = useState(false);
  return {
    copied,
    copy: async () => {
      try {
        await navigator.clipboard.writeText(text);
        setCopied(true);
      } catch {
        // The clipboard may be forbidden; the user can select the text.
      }
    },
    forget: () => setCopied(false),
  };
}

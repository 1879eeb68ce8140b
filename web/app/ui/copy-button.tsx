import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { Icon } from './icon.tsx';

/** Copies a text and says that it did. `name` is what the text is: 'transaction id'. */
export function CopyButton({ name, text }: { name: string; text: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
    } catch {
      // The clipboard may be forbidden; the text stands beside the button and can be selected.
    }
  };
  return (
    <>
      <button
        type="button"
        className="btn btn-ghost btn-square size-8 shrink-0"
        aria-label={`Copy ${name} ${text}`}
        onClick={copy}
        onBlur={() => setCopied(false)}
      >
        <Icon of={copied ? Check : Copy} className={`size-4 ${copied ? 'text-success' : 'text-muted'}`} />
      </button>
      <span className="sr-only" role="status">
        {copied ? `Copied ${name}` : ''}
      </span>
    </>
  );
}

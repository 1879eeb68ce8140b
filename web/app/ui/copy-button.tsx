import { Check, Copy } from 'lucide';
import { useState } from 'react';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import { IconButton } from './icon-button.tsx';

export function CopyButton({ name, text }: { name: string; text: string }) {
  const { copied, copy, forget } = useCopy(text);
  return (
    <>
      <IconButton
        icon={copied ? Check : Copy}
        label={`Copy ${name} ${text}`}
        className="size-8 shrink-0"
        iconClass={`size-4 ${copied ? 'text-success' : 'text-muted'}`}
        onClick={copy}
        onBlur={forget}
      />
      <span className="sr-only" role="status">
        {copied ? `Copied ${name}` : ''}
      </span>
    </>
  );
}

/** For a text that is too long to name. */
export function CopyTextButton({ name, text }: { name: string; text: string }) {
  const { copied, copy, forget } = useCopy(text);
  return (
    <>
      <Button kind="line" size="bar" onClick={copy} onBlur={forget}>
        <Icon of={copied ? Check : Copy} className={`size-4 ${copied ? 'text-success' : ''}`} />
        {`${copied ? 'Copied' : 'Copy'} ${name}`}
      </Button>
      <span className="sr-only" role="status">
        {copied ? `Copied ${name}` : ''}
      </span>
    </>
  );
}

/** Call `forget` when the button loses the focus. */
function useCopy(text: string) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
    } catch {
      // The clipboard may be forbidden; the user can select the text.
    }
  };
  return { copied, copy, forget: () => setCopied(false) };
}

import { Check, Copy } from 'lucide';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import { useCopy } from './use-copy.ts';

export function CopyButton({ name, text }: { name: string; text: string }) {
  const { copied, copy, forget } = useCopy(text);
  return (
    <>
      <button
        type="button"
        className="btn btn-ghost btn-square size-8 shrink-0"
        aria-label={`Copy ${name} ${text}`}
        onClick={copy}
        onBlur={forget}
      >
        <Icon of={copied ? Check : Copy} className={`size-4 ${copied ? 'text-success' : 'text-muted'}`} />
      </button>
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

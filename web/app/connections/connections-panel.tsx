import { Plus } from 'lucide';
import type { ReactNode } from 'react';
import { Button } from '#app/ui/button.tsx';
import { Icon } from '#app/ui/icon.tsx';

interface ConnectionsPanelProps {
  /** 'Keys' */
  heading: string;
  about: string;
  /** 'New key' */
  button: string;
  onNew: () => void;
  /** The list and its dialogs. */
  children: ReactNode;
}

export function ConnectionsPanel({ heading, about, button, onNew, children }: ConnectionsPanelProps) {
  return (
    <section
      className="pf-panel overflow-clip [&>.pf-tablewrap]:border-0 xl:[&_:is(th,td):first-child]:pl-6 xl:[&_:is(th,td):last-child]:pr-6"
      aria-labelledby={heading}
    >
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 px-6 py-5">
        <div>
          <h2 id={heading} className="display pb-1 text-h4">
            {heading}
          </h2>
          <p className="max-w-[65ch] text-sm text-muted">{about}</p>
        </div>
        <Button kind="line" size="bar" onClick={onNew}>
          <Icon of={Plus} className="size-4" />
          {button}
        </Button>
      </div>
      {children}
    </section>
  );
}

import { type ReactNode, type Ref, useId } from 'react';

interface PanelProps {
  heading: string;
  ref?: Ref<HTMLElement>;
  className?: string;
  /** Beside the heading. */
  aside?: ReactNode;
  /** The panel's purpose, in a sentence or two. */
  about?: ReactNode;
  children: ReactNode;
}

export function Panel({ heading, ref, className = '', aside, about, children }: PanelProps) {
  const id = useId();
  return (
    <section ref={ref} className={`pf-panel p-6 ${className}`.trimEnd()} aria-labelledby={id}>
      <div
        className={`flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 ${about ? 'mb-3' : 'mb-4'}`}
      >
        <h2 id={id} className="display text-h4 outline-none" tabIndex={-1}>
          {heading}
        </h2>
        {aside}
      </div>
      {about && <p className="mb-5 max-w-[60ch] text-muted last:mb-0">{about}</p>}
      {children}
    </section>
  );
}

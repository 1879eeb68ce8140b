import { type ReactNode, type Ref, useId } from 'react';

interface AccountPanelProps {
  heading: string;
  ref?: Ref<HTMLElement>;
  /** The panel's purpose, in a sentence or two. */
  about?: ReactNode;
  children: ReactNode;
}

export function AccountPanel({ heading, ref, about, children }: AccountPanelProps) {
  const id = useId();
  return (
    <section ref={ref} className="pf-panel p-6" aria-labelledby={id}>
      <h2 id={id} className="display mb-3 text-h4 outline-none" tabIndex={-1}>
        {heading}
      </h2>
      {about && <p className="mb-5 max-w-[60ch] text-muted last:mb-0">{about}</p>}
      {children}
    </section>
  );
}

import { type ReactNode, type Ref, useId } from 'react';

interface AccountPanelProps {
  heading: string;
  ref?: Ref<HTMLElement>;
  /** What the panel is for, in a sentence or two. */
  about?: ReactNode;
  children: ReactNode;
}

/** One thing that somebody can do about their account. */
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

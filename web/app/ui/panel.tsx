import { type ReactNode, useId } from 'react';

interface PanelProps {
  heading: string;
  className?: string;
  children: ReactNode;
}

export function Panel({ heading, className = '', children }: PanelProps) {
  const id = useId();
  return (
    <section className={`pf-panel p-6 ${className}`.trimEnd()} aria-labelledby={id}>
      <h2 id={id} className="display mb-4 text-h4">
        {heading}
      </h2>
      {children}
    </section>
  );
}

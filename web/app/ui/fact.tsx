import type { ReactNode } from 'react';

interface FactProps {
  name: string;
  /** Styles the value, not the label. */
  className?: string | undefined;
  children: ReactNode;
}

/** A row of `pf-spec`, or a cell of `pf-block`. */
export const Fact = ({ name, className, children }: FactProps) => (
  <div>
    <dt>{name}</dt>
    <dd className={className}>{children}</dd>
  </div>
);

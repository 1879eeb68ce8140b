import type { ReactNode } from 'react';

interface FactProps {
  name: string;
  /** Of the value. */
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

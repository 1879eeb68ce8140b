import type { ReactNode } from 'react';

export function LinkInPage({ id, children }: { id: string; children: ReactNode }) {
  return (
    <a
      className="pf-link"
      href={`#${id}`}
      onClick={(event) => {
        // The router would not know the link's history entry.
        event.preventDefault();
        document.getElementById(id)?.focus();
      }}
    >
      {children}
    </a>
  );
}

import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import { useLateFocus } from '#app/ui/use-late-focus.ts';

export function LinkInPage({ id, children }: { id: string; children: ReactNode }) {
  const [, setSearch] = useSearchParams();
  const focus = useLateFocus();
  return (
    <a
      className="pf-link pf-fix"
      href={`#${id}`}
      onClick={(event) => {
        // The router would not know the link's history entry.
        event.preventDefault();
        focus(id);
        // The line may be in another tab.
        if (!document.getElementById(id)) setSearch({}, { replace: true, preventScrollReset: true });
      }}
    >
      {children}
    </a>
  );
}

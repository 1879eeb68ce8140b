import { type ReactNode, useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';

export function LinkInPage({ id, children }: { id: string; children: ReactNode }) {
  const [, setSearch] = useSearchParams();
  const [isFollowed, setFollowed] = useState(false);
  useEffect(() => {
    const target = isFollowed ? document.getElementById(id) : null;
    if (!target) return;
    target.focus();
    setFollowed(false);
  });
  return (
    <a
      className="pf-link"
      href={`#${id}`}
      onClick={(event) => {
        // The router would not know the link's history entry.
        event.preventDefault();
        setFollowed(true);
        // The line may be in another tab.
        if (!document.getElementById(id)) setSearch({}, { replace: true, preventScrollReset: true });
      }}
    >
      {children}
    </a>
  );
}

import type { IconNode } from 'lucide';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import { Button } from '#app/ui/button.tsx';
import { focusHeading } from '#app/ui/focus-heading.ts';
import { Notice } from '#app/ui/notice.tsx';

/** @param children advice for the search */
export function NoMatch({ icon, children }: { icon: IconNode; children: ReactNode }) {
  const [, setSearch] = useSearchParams();
  const showAll = () => {
    setSearch({}, { replace: true, preventScrollReset: true });
    // The button disappears, so the heading gets the focus.
    focusHeading();
  };
  const action = (
    <Button kind="line" onClick={showAll}>
      Show all orders
    </Button>
  );
  return (
    <Notice icon={icon} title="No order matches" action={action}>
      {children}
    </Notice>
  );
}

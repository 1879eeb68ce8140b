import type { IconNode } from 'lucide';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import { Button } from '#app/ui/button.tsx';
import { focusHeading } from '#app/ui/focus-heading.ts';
import { Notice } from '#app/ui/notice.tsx';

interface NoMatchProps {
  icon: IconNode;
  title: string;
  /** Plural, for the button. */
  what: string;
  /** Advice for the search. */
  children: ReactNode;
}

export function NoMatch({ icon, title, what, children }: NoMatchProps) {
  const [, setSearch] = useSearchParams();
  const showAll = () => {
    setSearch({}, { replace: true, preventScrollReset: true });
    // The button disappears, so the heading gets the focus.
    focusHeading();
  };
  const action = (
    <Button kind="line" onClick={showAll}>
      {`Show all ${what}`}
    </Button>
  );
  return (
    <Notice icon={icon} title={title} action={action}>
      {children}
    </Notice>
  );
}

import { ChevronLeft } from 'lucide';
import { Link } from 'react-router';
import { Icon } from './icon.tsx';

/** Link to the list, above the heading. */
export function BackLink({ to, children }: { to: string; children: string }) {
  return (
    <Link className="pf-link inline-flex min-h-8 items-center gap-1" to={to}>
      <Icon of={ChevronLeft} className="size-4" />
      {children}
    </Link>
  );
}

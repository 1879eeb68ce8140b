import { ChevronLeft } from 'lucide';
import { Link } from 'react-router';
import { Icon } from '#app/ui/icon.tsx';

/** Link to the list, above the heading. */
export function BackToMyOrders() {
  return (
    <Link className="pf-link inline-flex min-h-8 items-center gap-1" to="/dashboard/my-orders">
      <Icon of={ChevronLeft} className="size-4" />
      My Orders
    </Link>
  );
}

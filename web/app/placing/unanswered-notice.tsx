import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Banner } from '#app/ui/banner.tsx';

interface UnansweredNoticeProps {
  lead: string;
  /** The sentence before the link to the orders. */
  children: ReactNode;
  /** The customer goes to look, or knows that it has arrived. */
  onForget: () => void;
}

/** After a reload, when the last submit's outcome is unknown. */
export function UnansweredNotice({ lead, children, onForget }: UnansweredNoticeProps) {
  return (
    <Banner kind="info" className="mb-6">
      <p>
        <strong className="font-semibold">{lead}</strong> {children}{' '}
        <Link
          to="/dashboard/my-orders"
          className="pf-link whitespace-nowrap font-semibold"
          onClick={onForget}
        >
          My Orders
        </Link>
        . <OrderArrived onForget={onForget} />
      </p>
    </Banner>
  );
}

/** Without it, the same entries count as the unanswered order. */
export function OrderArrived({ onForget }: Pick<UnansweredNoticeProps, 'onForget'>) {
  return (
    <button type="button" className="pf-link min-h-6 cursor-pointer font-semibold" onClick={onForget}>
      It has arrived, order again
    </button>
  );
}

import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Banner } from '#app/ui/banner.tsx';

interface UnansweredNoticeProps {
  lead: string;
  /** The sentence's beginning; the link to the orders ends it. */
  children: ReactNode;
  /** The customer goes to look, or knows that it has arrived. */
  onForget: () => void;
}

/** After a reload: the outcome of the last submit is unknown. */
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
        . <OrderAnew onForget={onForget} />
      </p>
    </Banner>
  );
}

/** Lets the customer order the same again, which otherwise counts as the unanswered order. */
export function OrderAnew({ onForget }: Pick<UnansweredNoticeProps, 'onForget'>) {
  return (
    <button type="button" className="pf-link min-h-6 cursor-pointer font-semibold" onClick={onForget}>
      It has arrived, order anew
    </button>
  );
}

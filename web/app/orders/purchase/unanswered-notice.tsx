import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Banner } from '#app/ui/banner.tsx';

interface UnansweredNoticeProps {
  lead: string;
  /** Ends before the link to the orders, which ends the sentence. */
  children: ReactNode;
  /** They look what became of it, or know that it has arrived. */
  onForget: () => void;
}

/** After a reload: something was sent, and whether it arrived was never answered. */
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

/** For whoever wants the same again, which would otherwise count as the one that was sent. */
export function OrderAnew({ onForget }: Pick<UnansweredNoticeProps, 'onForget'>) {
  return (
    <button type="button" className="pf-link min-h-6 cursor-pointer font-semibold" onClick={onForget}>
      It has arrived, order anew
    </button>
  );
}

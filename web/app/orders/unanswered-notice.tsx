import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Banner } from '#app/ui/banner.tsx';

interface UnansweredNoticeProps {
  lead: string;
  /** Ends before the link to the orders, which ends the sentence. */
  children: ReactNode;
  /** The link was followed. */
  onLook?: () => void;
}

/** After a reload: something was sent, and whether it arrived was never answered. */
export function UnansweredNotice({ lead, children, onLook }: UnansweredNoticeProps) {
  return (
    <Banner kind="info" className="mb-6">
      <p>
        <strong className="font-semibold">{lead}</strong> {children}{' '}
        <Link to="/dashboard/my-orders" className="pf-link whitespace-nowrap font-semibold" onClick={onLook}>
          My Orders
        </Link>
        .
      </p>
    </Banner>
  );
}

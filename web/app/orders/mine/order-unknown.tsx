import { PackageX } from 'lucide';
import { Link } from 'react-router';
import { getButtonClasses } from '#app/ui/button.tsx';
import { Notice } from '#app/ui/notice.tsx';

export function OrderUnknown({ children }: { children: string }) {
  return (
    <Notice
      icon={PackageX}
      alert
      title="This order is not there"
      action={
        <Link to="/dashboard/my-orders" className={getButtonClasses('primary')}>
          My Orders
        </Link>
      }
    >
      {children}
    </Notice>
  );
}

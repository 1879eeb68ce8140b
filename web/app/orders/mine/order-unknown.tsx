import { PackageX } from 'lucide';
import { Notice } from '#app/ui/notice.tsx';
import { PrimaryLink } from '#app/ui/primary-link.tsx';

export function OrderUnknown({ children }: { children: string }) {
  return (
    <Notice
      icon={PackageX}
      alert
      title="This order is not there"
      action={<PrimaryLink to="/dashboard/my-orders">My Orders</PrimaryLink>}
    >
      {children}
    </Notice>
  );
}

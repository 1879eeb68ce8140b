import { useQuery } from '@tanstack/react-query';
import { ChartColumn, ClipboardList, Package } from 'lucide';
import { Link } from 'react-router';
import { queryClient } from '#app/calls/query-client.ts';
import { Icon } from '#app/ui/icon.tsx';
import { userQueryOptions } from '#app/users/queries.ts';

const links = {
  admin: [
    { page: 'manage-orders', name: 'Manage All Orders', icon: ClipboardList },
    { page: 'overview', name: 'Overview', icon: ChartColumn },
  ],
  user: [{ page: 'my-orders', name: 'My Orders', icon: Package }],
} as const;

interface AccountLinksProps {
  email: string;
  className: string;
  hasIcons?: boolean;
  onChoose?: () => void;
}

/** The pages of the role, below Dashboard. */
export function AccountLinks({ email, className, hasIcons, onChoose }: AccountLinksProps) {
  // The bar is outside the client's provider.
  const { data: user } = useQuery(userQueryOptions(email), queryClient);
  return (user ? links[user.role] : []).map(({ page, name, icon }) => (
    <li key={page}>
      <Link to={`/dashboard/${page}`} className={className} onClick={onChoose}>
        {hasIcons && <Icon of={icon} className="size-[1.125rem] text-muted" />}
        {name}
      </Link>
    </li>
  ));
}

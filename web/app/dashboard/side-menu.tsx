import type { Role } from '@parts-forge/contract/policies';
import {
  Boxes,
  ClipboardList,
  type LucideIcon,
  MessageSquarePlus,
  Package,
  PackagePlus,
  ShieldCheck,
  UserRound,
} from 'lucide-react';
import { Link } from 'react-router';
import { Icon } from '#app/ui/icon.tsx';

interface MenuEntry {
  to: string;
  label: string;
  sign: LucideIcon;
}

const myProfile: MenuEntry = { to: '/dashboard/my-profile', label: 'My Profile', sign: UserRound };

/** The dashboard's menu by role (specification §2), in its words. */
const menus: Record<Role, readonly MenuEntry[]> = {
  user: [
    myProfile,
    { to: '/dashboard/my-orders', label: 'My Orders', sign: Package },
    { to: '/dashboard/my-reviews', label: 'Add A Review', sign: MessageSquarePlus },
  ],
  admin: [
    myProfile,
    { to: '/dashboard/manage-orders', label: 'Manage All Orders', sign: ClipboardList },
    { to: '/dashboard/manage-users', label: 'Make Admin', sign: ShieldCheck },
    { to: '/dashboard/add-product', label: 'Add Product', sign: PackagePlus },
    { to: '/dashboard/manage-products', label: 'Manage Products', sign: Boxes },
  ],
};

/** The entry that a dashboard address belongs to; paying is a part of My Orders. */
export function currentEntry(role: Role, pathname: string): MenuEntry | undefined {
  const place = pathname.startsWith('/dashboard/payment/') ? '/dashboard/my-orders' : pathname;
  return menus[role].find((entry) => entry.to === place.replace(/\/$/, ''));
}

interface SideMenuProps {
  name: string;
  role: Role;
  pathname: string;
  /** A link was pressed, also one to the page that is already shown. */
  onChoose?: () => void;
}

/** Who is signed in, and where they can go. */
export function SideMenu({ name, role, pathname, onChoose }: SideMenuProps) {
  const current = currentEntry(role, pathname);
  return (
    <>
      <div className="mb-4 flex items-center gap-3 px-4">
        <span className="grid size-10 shrink-0 place-items-center rounded-full border border-base-300 bg-base-100 text-muted">
          <Icon of={UserRound} />
        </span>
        <span className="min-w-0">
          <span className="block font-semibold [overflow-wrap:anywhere]">{name}</span>
          <span className="block text-micro text-muted">{role}</span>
        </span>
      </div>
      <nav aria-label="Dashboard">
        <ul className="pf-side grid gap-1">
          {menus[role].map((entry) => (
            <li key={entry.to}>
              <Link
                to={entry.to}
                aria-current={entry === current ? 'page' : undefined}
                {...(onChoose && { onClick: onChoose })}
              >
                <Icon of={entry.sign} className="" />
                {entry.label}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
    </>
  );
}

import { type Role, refuseByRole } from '@parts-forge/contract/calls/policies';
import {
  BookUser,
  Boxes,
  ChartColumn,
  ClipboardList,
  FileSpreadsheet,
  History,
  type IconNode,
  KeyRound,
  ListPlus,
  MessageSquarePlus,
  Package,
  PackagePlus,
  ShieldCheck,
  Tag,
  UserRound,
} from 'lucide';

import { Link } from 'react-router';
import { Icon } from '#app/ui/icon.tsx';
import { pagePolicies } from './page-policies.ts';

interface MenuEntry {
  page: Exclude<keyof typeof pagePolicies, keyof typeof parentPages | 'order' | 'purchase'>;
  label: string;
  /** Default: each role that may see the page. */
  role?: Role;
  icon: IconNode;
}

/** In the specification's order and words (§2), after the owner's overview. */
const entries: readonly MenuEntry[] = [
  { page: 'overview', label: 'Overview', icon: ChartColumn },
  { page: 'my-profile', label: 'My Profile', icon: UserRound },
  { page: 'my-orders', label: 'My Orders', icon: Package },
  { page: 'my-reviews', label: 'Add A Review', icon: MessageSquarePlus },
  { page: 'manage-orders', label: 'Manage All Orders', icon: ClipboardList },
  { page: 'manage-users', label: 'Make Admin', icon: ShieldCheck },
  { page: 'add-product', label: 'Add Product', icon: PackagePlus },
  { page: 'manage-products', label: 'Manage Products', icon: Boxes },
];

/** Pages beyond the specification. */
const furtherEntries: readonly MenuEntry[] = [
  { page: 'batch', label: 'Batch', icon: ListPlus },
  { page: 'my-prices', label: 'My prices', icon: Tag },
  { page: 'own-names', label: 'Own names', icon: BookUser },
  { page: 'prices', label: 'Prices', icon: Tag },
  { page: 'catalogue-file', label: 'Catalogue by File', icon: FileSpreadsheet },
  { page: 'connections', label: 'Connections', icon: KeyRound, role: 'admin' },
  { page: 'connections', label: 'Keys', icon: KeyRound, role: 'user' },
  { page: 'activity', label: 'Activity', icon: History },
];

const permitted = (menu: readonly MenuEntry[], role: Role) =>
  menu.filter(
    (entry) => (entry.role ?? role) === role && refuseByRole(pagePolicies[entry.page], role) === null,
  );

/** Pages without a menu entry, and the entry that leads to each. */
const parentPages = {
  payment: 'my-orders',
  mail: 'manage-users',
  customers: 'manage-users',
  'pick-list': 'manage-orders',
  'packing-slips': 'manage-orders',
  'parcels-csv': 'manage-orders',
  webhooks: 'connections',
} as const;

const findOrdersPage = (role: Role) => (role === 'admin' ? 'manage-orders' : 'my-orders');

/** My Orders also has its orders and payments, Make Admin the mail. */
export function findCurrentEntry(role: Role, pathname: string): MenuEntry | undefined {
  const page = pathname.split('/')[2];
  const parent =
    page === 'order' || page === 'purchase'
      ? findOrdersPage(role)
      : Object.entries(parentPages).find(([child]) => child === page)?.[1];
  return permitted([...entries, ...furtherEntries], role).find((entry) => entry.page === (parent ?? page));
}

/** Such as `3 lines`, of which only the figure is seen. */
export type MenuCounts = Partial<Record<MenuEntry['page'], string>>;

interface SideMenuProps {
  name: string;
  role: Role;
  pathname: string;
  counts: MenuCounts;
  /** A link was pressed, even one to the current page. */
  onChoose?: () => void;
}

export function SideMenu({ name, role, pathname, counts, onChoose }: SideMenuProps) {
  const list = { current: findCurrentEntry(role, pathname), counts, onChoose };
  const further = permitted(furtherEntries, role);
  return (
    <>
      <div className="mb-4 flex items-center gap-3 px-4">
        <span className="grid size-10 shrink-0 place-items-center rounded-full border border-base-300 bg-base-100 text-muted">
          <Icon of={UserRound} />
        </span>
        <span className="min-w-0">
          <span className="line-clamp-2 font-semibold [overflow-wrap:anywhere]" title={name}>
            <bdi>{name}</bdi>
          </span>
          <span className="block text-micro text-muted">{role}</span>
        </span>
      </div>
      <nav aria-label="Dashboard">
        <MenuEntries entries={permitted(entries, role)} {...list} />
        {further.length > 0 && (
          <MenuEntries entries={further} className="mt-3 border-t border-base-300 pt-3" {...list} />
        )}
      </nav>
    </>
  );
}

interface MenuEntriesProps extends Pick<SideMenuProps, 'counts'> {
  entries: readonly MenuEntry[];
  current: MenuEntry | undefined;
  onChoose: (() => void) | undefined;
  className?: string;
}

/** The current page has a mark of copper at its edge. */
const linkClasses =
  'relative flex min-h-11 items-center gap-3 rounded-field px-4 font-medium text-muted transition-colors duration-[120ms] hover:bg-base-content/5 hover:text-base-content aria-[current=page]:bg-base-100 aria-[current=page]:text-base-content aria-[current=page]:inset-ring aria-[current=page]:inset-ring-base-300 aria-[current=page]:before:absolute aria-[current=page]:before:inset-y-2.5 aria-[current=page]:before:-left-px aria-[current=page]:before:w-0.5 aria-[current=page]:before:bg-accent';

function MenuEntries({ entries, current, counts, onChoose, className = '' }: MenuEntriesProps) {
  return (
    <ul className={`grid gap-1 ${className}`.trimEnd()}>
      {entries.map((entry) => (
        <li key={entry.page}>
          <Link
            className={linkClasses}
            to={`/dashboard/${entry.page}`}
            aria-current={entry === current ? 'page' : undefined}
            {...(onChoose && { onClick: onChoose })}
          >
            <Icon of={entry.icon} className="size-[1.125rem] flex-none" />
            {entry.label}
            <Count text={counts[entry.page]} />
          </Link>
        </li>
      ))}
    </ul>
  );
}

function Count({ text }: { text: string | undefined }) {
  if (text === undefined) return null;
  const [figure, ...words] = text.split(' ');
  return (
    <span className="num ml-auto text-sm">
      {figure}
      <span className="sr-only"> {words.join(' ')}</span>
    </span>
  );
}

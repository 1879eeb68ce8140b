import { formatCount } from '@parts-forge/contract/money/money';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Outlet, useLocation } from 'react-router';
import { storeLineCount } from '#app/batch/browser-batch.ts';
import { useBatch } from '#app/batch/use-batch.ts';
import { MenuDrawer } from '#app/dashboard/menu-drawer.tsx';
import { findPagePolicy } from '#app/dashboard/page-policies.ts';
import { SideMenu } from '#app/dashboard/side-menu.tsx';
import { requirePermission } from '#app/identity/guards.ts';
import { useRole, useSignedInUser } from '#app/identity/signed-in-user.ts';
import { askedCountQueryOptions } from '#app/prices/queries.ts';

export const handle = { ground: 'bench' };

export const clientMiddleware = [requirePermission(findPagePolicy)];

export default function Dashboard() {
  const { id, email, displayName } = useSignedInUser();
  const role = useRole();
  const { pathname } = useLocation();
  const { lines } = useBatch();
  const { data: asked = '0' } = useQuery({ ...askedCountQueryOptions(pathname), enabled: role === 'admin' });
  // Administrators have no batch, so the bar has no link to it.
  useEffect(() => {
    if (role === 'admin') storeLineCount(id, -1);
  }, [role, id]);
  const counts = {
    ...(lines > 0 && { batch: formatCount(lines, 'line') }),
    ...(asked !== '0' && { prices: `${asked} to answer` }),
  };
  const menu = { name: displayName ?? email, role, pathname, counts };
  return (
    // The full window height, so that the line beside the menu reaches the footer.
    <div className="wrap grid xl:min-h-[calc(100svh-4rem)] xl:grid-cols-[15.5rem_minmax(0,1fr)] print:block print:w-full">
      <aside
        aria-label="Dashboard menu"
        className="border-base-300 py-8 pr-6 max-xl:hidden xl:border-r print:hidden"
      >
        <div className="sticky top-24">
          <SideMenu {...menu} />
        </div>
      </aside>
      <div className="min-w-0 pb-16 xl:pt-8 xl:pb-24 xl:pl-10 print:p-0">
        <MenuDrawer {...menu} />
        <div data-content="" tabIndex={-1} className="outline-none">
          <Outlet />
        </div>
      </div>
    </div>
  );
}

import { lazy, Suspense } from 'react';
import { Link, useLocation } from 'react-router';
import { buildLoginPath } from '#app/session/return-path.ts';
import { useSession } from '#app/session/session.ts';
import { getButtonClasses } from '#app/ui/button.tsx';
import { usePageSettings } from '#app/ui/shop.tsx';

/** Few visits need it. */
const OwnWish = lazy(() => import('./own-wish.tsx'));
const label = 'Tell me when it is back';

interface BackInStockProps {
  productId: string;
  size?: 'action' | 'row';
}

/** For a part that cannot be ordered. Visitors log in and come back. Not offered without a mail server. */
export function BackInStock({ productId, size = 'action' }: BackInStockProps) {
  const { wishes: isOffered } = usePageSettings();
  const session = useSession();
  const { pathname } = useLocation();
  if (!isOffered) return null;
  const look = getButtonClasses('line', size, size === 'action' ? 'w-full' : '');
  if (session.status !== 'signed-in') {
    return (
      <Link to={buildLoginPath(pathname)} className={look}>
        {label}
      </Link>
    );
  }
  return (
    <Suspense fallback={<span className={`${look} invisible`} />}>
      <OwnWish productId={productId} email={session.user.email} label={label} size={size} />
    </Suspense>
  );
}

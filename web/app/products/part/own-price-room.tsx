import type { ComponentProps } from 'react';
import { useSession } from '#app/session/session.ts';
import { lazyPart } from '#app/ui/lazy-part.tsx';

/** Visitors do not load it. */
const OwnPrice = lazyPart(() => import('./own-price.tsx'));

/** The signed-in have room for their price from the first paint, so that nothing moves. */
export function OwnPriceRoom(props: ComponentProps<typeof OwnPrice>) {
  const { status } = useSession();
  return (
    <div className="num hidden min-h-14 items-end justify-between gap-4 in-[[data-account]]:flex">
      {status === 'signed-in' && <OwnPrice {...props} />}
    </div>
  );
}

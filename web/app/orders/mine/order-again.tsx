import { lazy, Suspense } from 'react';
import type { OrderAgainProps } from './order-again-dialog.tsx';

/** Few visits need it. */
const OrderAgainDialog = lazy(() => import('./order-again-dialog.tsx'));

/** Asks before the parts of orders go into the batch. */
export const OrderAgain = (props: OrderAgainProps) => (
  <Suspense>
    <OrderAgainDialog {...props} />
  </Suspense>
);

import { PanelsSkeleton } from '#app/dashboard/query-panel.tsx';
import { PurchaseSkeleton } from '#app/orders/purchase/purchase-skeleton.tsx';
import { ProductCardSkeleton } from '#app/products/product-card.tsx';
import { ReviewCardSkeleton } from '#app/reviews/review-card.tsx';
import { Skeleton } from '#app/ui/skeleton.tsx';
import { TableSkeleton } from '#app/ui/table-skeleton.tsx';
import type { Example } from '../example.ts';

export const skeletons: readonly Example[] = [
  { name: 'PanelsSkeleton', render: () => <PanelsSkeleton heights={['h-24', 'h-40']} /> },
  { name: 'Skeleton', render: () => <Skeleton className="h-12 w-full" /> },
  {
    name: 'TableSkeleton with pictures and buttons',
    render: () => <TableSkeleton cells={['short', 'middle', 'long']} rows={2} />,
  },
  {
    name: 'TableSkeleton without either',
    render: () => <TableSkeleton cells={['short', 'long']} rows={2} picture={false} actions={false} />,
  },
  {
    name: 'ProductCardSkeleton',
    render: () => (
      <ul>
        <ProductCardSkeleton />
      </ul>
    ),
  },
  {
    name: 'ReviewCardSkeleton',
    render: () => (
      <ul>
        <ReviewCardSkeleton />
      </ul>
    ),
  },
  { name: 'PurchaseSkeleton', render: () => <PurchaseSkeleton shown /> },
];

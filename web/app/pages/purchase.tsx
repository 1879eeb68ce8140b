import { useQuery } from '@tanstack/react-query';
import { ChevronLeft, RefreshCw, TriangleAlert } from 'lucide';
import { Link } from 'react-router';
import { queryClient } from '#app/calls/query-client.ts';
import { describeError, getProblemCode, getRequestId } from '#app/errors/describe-error.ts';
import { Reference } from '#app/errors/reference.tsx';
import { NotFoundPage } from '#app/layout/not-found-page.tsx';
import { PurchasePanels } from '#app/orders/purchase/purchase-panels.tsx';
import { PurchaseSkeleton } from '#app/orders/purchase/purchase-skeleton.tsx';
import { productQueryOptions } from '#app/products/queries.ts';
import { Button } from '#app/ui/button.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { Notice } from '#app/ui/notice.tsx';
import { PageTitle } from '#app/ui/shop.tsx';
import { useSkeleton } from '#app/ui/use-skeleton.ts';
import type { Route } from './+types/purchase';

/** Starts in parallel with the session check. */
export function clientLoader({ params }: Route.ClientLoaderArgs) {
  void queryClient.prefetchQuery(productQueryOptions(params.id));
  return null;
}

export default function Purchase({ params }: Route.ComponentProps) {
  const { data: product, error, isFetching, refetch } = useQuery(productQueryOptions(params.id));
  const skeleton = useSkeleton(!product && !error);
  if (getProblemCode(error) === 'not-found' && !product) return <NotFoundPage />;
  if (!product && error) {
    return (
      <div className="wrap py-24">
        <PageTitle title="Part" />
        <h1 className="sr-only">Part</h1>
        <Notice
          icon={TriangleAlert}
          alert
          title="The part could not be loaded"
          action={
            <Button kind="strong" busy={isFetching} busyLabel="Trying again…" onClick={() => void refetch()}>
              <Icon of={RefreshCw} className="size-4" />
              Try again
            </Button>
          }
        >
          {describeError(error)} Try again.
          <Reference id={getRequestId(error)} />
        </Notice>
      </div>
    );
  }
  if (!product || skeleton) return <PurchaseSkeleton shown={skeleton} />;
  return (
    <div className="wrap pb-24 pt-8 md:pt-12 low:pt-2">
      <PageTitle title={product.name} />
      <nav aria-label="Breadcrumb" className="mb-6 text-sm text-muted low:mb-2">
        <Link className="pf-link inline-flex min-h-8 items-center gap-1" to="/all-products">
          <Icon of={ChevronLeft} className="size-4" />
          All Products
        </Link>
      </nav>
      <PurchasePanels key={product._id} product={product} />
    </div>
  );
}

import { useQuery } from '@tanstack/react-query';
import { Navigate } from 'react-router';
import { prefetch } from '#app/calls/prefetch.ts';
import { PanelsSkeleton, QueryPanel } from '#app/dashboard/query-panel.tsx';
import { getProblemCode } from '#app/errors/describe-error.ts';
import { useSignedInUser } from '#app/identity/signed-in-user.ts';
import { columns, PurchaseForm } from '#app/orders/one-part/purchase-form.tsx';
import { lastOrderQueryOptions } from '#app/placing/use-delivery.ts';
import { productQueryOptions } from '#app/products/queries.ts';
import { BackLink } from '#app/ui/back-link.tsx';
import { PageTitle } from '#app/ui/shop.tsx';
import type { Route } from './+types/purchase';

/** Starts in parallel with the session check. */
export const clientLoader = ({ params }: Route.ClientLoaderArgs) => prefetch(productQueryOptions(params.id));

export default function Purchase({ params }: Route.ComponentProps) {
  const { data: product, error, isPending, isFetching, refetch } = useQuery(productQueryOptions(params.id));
  // Its address stands as text, which must not replace fields.
  const last = useQuery(lastOrderQueryOptions(useSignedInUser().email));
  const isLoading = isPending || (last.isLoading && last.failureCount === 0);
  // That page names what fits instead of a removed part.
  if (getProblemCode(error) === 'not-found' && !product)
    return <Navigate replace to={`/products/${params.id}`} />;
  return (
    <div className="wrap pb-16 pt-5 lg:pt-8">
      <PageTitle title={product?.name ?? 'Part'} />
      <nav aria-label="Breadcrumb" className="mb-3 text-sm text-muted">
        <BackLink to="/all-products">All Products</BackLink>
      </nav>
      <QueryPanel
        query={{ data: isLoading ? undefined : product, error, isPending: isLoading, isFetching, refetch }}
        what="The part"
        heading={<h1 className="sr-only">Part</h1>}
        skeleton={
          <PanelsSkeleton
            className={`${columns} [&>:nth-child(2)]:col-span-full`}
            heights={['h-32 lg:h-28', 'h-56 lg:h-96', 'h-104']}
          />
        }
      >
        {(loaded) => <PurchaseForm key={loaded._id} product={loaded} />}
      </QueryPanel>
    </div>
  );
}

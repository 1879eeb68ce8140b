import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { configQueryOptions } from '#app/calls/shop-config.ts';
import { PageHeading } from '#app/dashboard/page-heading.tsx';
import { LoadError } from '#app/errors/load-error.tsx';
import { Skeleton } from '#app/ui/skeleton.tsx';
import { useSkeleton } from '#app/ui/use-skeleton.ts';
import { AddProductForm } from './add-product-form.tsx';

/** Add Product. The form waits for what the shop says about pictures, to refuse a wrong one before it is sent. */
export function AddProduct() {
  const config = useQuery(configQueryOptions());
  const loading = useSkeleton(config.isPending);
  const [added, setAdded] = useState(0);
  return (
    <>
      <PageHeading title="Add Product" />
      {loading ? (
        <div aria-busy="true">
          <p className="sr-only" role="status">
            Loading…
          </p>
          <Skeleton className="h-[34rem] w-full !rounded-box" />
        </div>
      ) : config.data ? (
        <AddProductForm
          // A form of its own for each product: what a field held before must not count as unchanged.
          key={added}
          rules={config.data.images}
          focusFirst={added > 0}
          onAdded={() => setAdded(added + 1)}
        />
      ) : config.error ? (
        <LoadError
          what="The form"
          error={config.error}
          busy={config.isFetching}
          onRetry={() => config.refetch()}
        />
      ) : null}
    </>
  );
}

import { useQuery } from '@tanstack/react-query';
import { FailedList } from '#app/dashboard/failed-list.tsx';
import { PageHeading } from '#app/dashboard/page-heading.tsx';
import { shopConfig } from '#app/shop-config.ts';
import { Skeleton, useSkeleton } from '#app/ui/skeleton.tsx';
import { AddProductForm } from './add-product-form.tsx';

/** Add Product. The form waits for what the shop says about pictures, to refuse a wrong one before it is sent. */
export function AddProduct() {
  const config = useQuery(shopConfig());
  const loading = useSkeleton(config.isPending);
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
        <AddProductForm rules={config.data.images} />
      ) : config.error ? (
        <FailedList
          what="The form"
          error={config.error}
          busy={config.isFetching}
          onRetry={() => config.refetch()}
        />
      ) : null}
    </>
  );
}

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { prefetch } from '#app/calls/prefetch.ts';
import { configQueryOptions } from '#app/calls/shop-config.ts';
import { PageHeading } from '#app/dashboard/page-heading.tsx';
import { PanelsSkeleton, QueryPanel } from '#app/dashboard/query-panel.tsx';
import { editPath } from '#app/products/product-paths.ts';
import { Banner } from '#app/ui/banner.tsx';
import { AddProductForm } from './add-product-form.tsx';
import type { AddedProduct } from './use-new-product.ts';

export const clientLoader = () => prefetch(configQueryOptions());

/** The form waits for the shop's picture rules, to refuse a wrong picture before upload. */
export default function AddProduct() {
  const config = useQuery(configQueryOptions());
  const [added, setAdded] = useState<readonly AddedProduct[]>([]);
  const latest = added.at(-1);
  return (
    <>
      <PageHeading title="Add Product" />
      {latest && <WhatIsLeft product={latest} />}
      <QueryPanel query={config} what="The form" skeleton={<PanelsSkeleton heights={['h-[34rem]']} />}>
        {({ images }) => (
          <AddProductForm
            // A new form for each product: earlier values must not count as unchanged.
            key={added.length}
            rules={images}
            focusFirst={added.length > 0}
            onAdded={(product) => setAdded([...added, product])}
          />
        )}
      </QueryPanel>
    </>
  );
}

/** The form has the specification's fields; another page edits the others. */
function WhatIsLeft({ product }: { product: AddedProduct }) {
  return (
    <Banner kind="info" className="mb-6 bg-base-100 [overflow-wrap:anywhere]">
      <strong className="font-semibold">{product.name}</strong> is on sale.{' '}
      <Link className="pf-link font-medium" to={editPath(product)}>
        Set its part number, kind, price breaks and models
      </Link>
    </Banner>
  );
}

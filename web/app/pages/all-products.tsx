import type { Product } from '@parts-forge/contract/products';
import { serverSide } from '#app/calls-context.ts';
import { listOf } from '#app/list-of.ts';
import { pageMeta } from '#app/page-meta.ts';
import { PartList } from '#app/products/part-list.tsx';
import { callOf, readFilter } from '#app/products/product-filter.ts';
import type { PageHandle } from '#app/root.tsx';
import type { Route } from './+types/all-products';

export const handle: PageHandle = { query: ['q', 'sort', 'available', 'after'] };

export function meta({ matches, loaderData }: Route.MetaArgs) {
  const origin = matches[0].loaderData?.origin;
  return pageMeta({
    title: 'All Products',
    description: 'All parts we make for mobile phones, with price per unit, stock and minimum order.',
    path: '/all-products',
    origin,
    structured: loaderData?.page
      ? [
          {
            '@type': 'ItemList',
            name: 'All Products',
            itemListElement: loaderData.page.rows.map((part, place) => ({
              '@type': 'ListItem',
              position: place + 1,
              item: productFacts(part, origin),
            })),
          },
        ]
      : [],
  });
}

/** One page of the list as the address asks for it; `page` is null where the call failed. */
export async function loader({ context, request }: Route.LoaderArgs) {
  const { call } = context.get(serverSide);
  const filter = readFilter(new URL(request.url).searchParams);
  return { filter, page: await listOf<Product>(call(callOf(filter))) };
}

export default function AllProducts({ loaderData }: Route.ComponentProps) {
  return (
    <div className="wrap pb-24 pt-12 md:pt-16">
      <h1 className="display text-h1">All Products</h1>
      <PartList {...loaderData} />
    </div>
  );
}

function productFacts(part: Product, origin: string | null | undefined) {
  return {
    '@type': 'Product',
    name: part.name,
    description: part.description,
    ...(origin && { image: new URL(part.image, origin).href }),
    offers: {
      '@type': 'Offer',
      price: part.price.toFixed(2),
      priceCurrency: 'USD',
      availability: `https://schema.org/${part.quantity >= part.minimumOrder ? 'InStock' : 'OutOfStock'}`,
    },
  };
}

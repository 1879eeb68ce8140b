import { isAvailable } from '@parts-forge/contract/part-rules';
import type { Product } from '@parts-forge/contract/products';
import { type ListPage, listOf } from '#app/list-page.ts';
import { buildPageMeta } from '#app/page-meta.ts';
import { buildListPath, type ProductFilter, readProductFilter } from '#app/products/product-filter.ts';
import { ProductList } from '#app/products/product-list.tsx';
import type { PageHandle } from '#app/root.tsx';
import { serverContext } from '#app/server-context.ts';
import type { Route } from './+types/all-products';

export const handle: PageHandle = { query: ['q', 'sort', 'available', 'after'] };

export function meta({ matches, loaderData }: Route.MetaArgs) {
  const origin = matches[0].loaderData?.origin;
  return buildPageMeta({
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

interface Found {
  filter: ProductFilter;
  page: ListPage<Product> | null;
}

/** One page of the list as the address asks for it; `page` is null where the call failed. */
export async function loader({ context, request }: Route.LoaderArgs): Promise<Found> {
  const { call } = context.get(serverContext);
  const filter = readProductFilter(new URL(request.url).searchParams);
  const answer = await call(buildListPath(filter));
  if (answer.status !== 422 || !filter.after) return { filter, page: await listOf<Product>(answer) };
  // An old link to a further page: the list is shown from its beginning.
  const first = { ...filter, after: null };
  return { filter: first, page: await listOf<Product>(call(buildListPath(first))) };
}

/** When the server cannot be reached the list says so; what one searches with stays. */
export async function clientLoader({ request, serverLoader }: Route.ClientLoaderArgs): Promise<Found> {
  return serverLoader().catch(() => ({
    filter: readProductFilter(new URL(request.url).searchParams),
    page: null,
  }));
}

export default function AllProducts({ loaderData }: Route.ComponentProps) {
  return (
    <div className="wrap pb-24 pt-12 md:pt-16">
      <h1 className="display text-h1">All Products</h1>
      <ProductList {...loaderData} />
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
      availability: `https://schema.org/${isAvailable(part) ? 'InStock' : 'OutOfStock'}`,
    },
  };
}

import { isAvailable } from '@parts-forge/contract/part-rules';
import type { Product } from '@parts-forge/contract/products';
import { failList, type ListFailure, type ListPage, readListPageOrFailure } from '#app/calls/list-page.ts';
import { buildListPath, type ProductFilter, readProductFilter } from '#app/products/product-filter.ts';
import { ProductList } from '#app/products/product-list.tsx';
import type { PageHandle } from '#app/root.tsx';
import { serverContext } from '#app/server-context.ts';
import type { Route } from './+types/all-products';
import { buildPageMeta } from './page-meta.ts';

export const handle: PageHandle = { query: ['q', 'sort', 'available', 'after'] };

export function meta({ matches, loaderData }: Route.MetaArgs) {
  const origin = matches[0].loaderData?.origin;
  return buildPageMeta({
    title: 'All Products',
    description: 'All parts we make for mobile phones, with price per unit, stock and minimum order.',
    path: '/all-products',
    origin,
    structured: loaderData?.page.rows
      ? [
          {
            '@type': 'ItemList',
            name: 'All Products',
            itemListElement: loaderData.page.rows.map((product, index) => ({
              '@type': 'ListItem',
              position: index + 1,
              item: describeProduct(product, origin),
            })),
          },
        ]
      : [],
  });
}

interface ProductListData {
  filter: ProductFilter;
  page: ListPage<Product> | ListFailure;
}

/** One page of the list as the address asks for it. */
export async function loader({ context, request }: Route.LoaderArgs): Promise<ProductListData> {
  const { call } = context.get(serverContext);
  const filter = readProductFilter(new URL(request.url).searchParams);
  const response = await call(buildListPath(filter));
  if (response.status !== 422 || !filter.after)
    return { filter, page: await readListPageOrFailure(response) };
  // An old link to a further page: the list is shown from its beginning.
  const first = { ...filter, after: null };
  return { filter: first, page: await readListPageOrFailure(call(buildListPath(first))) };
}

/** When the server cannot be reached the list says so; what one searches with stays. */
export async function clientLoader({
  request,
  serverLoader,
}: Route.ClientLoaderArgs): Promise<ProductListData> {
  return serverLoader().catch((error: unknown) => ({
    filter: readProductFilter(new URL(request.url).searchParams),
    page: failList(error),
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

/** A product in the words of schema.org, for search engines. */
function describeProduct(product: Product, origin: string | null | undefined) {
  return {
    '@type': 'Product',
    name: product.name,
    description: product.description,
    ...(origin && { image: new URL(product.image, origin).href }),
    offers: {
      '@type': 'Offer',
      price: product.price.toFixed(2),
      priceCurrency: 'USD',
      availability: `https://schema.org/${isAvailable(product) ? 'InStock' : 'OutOfStock'}`,
    },
  };
}
